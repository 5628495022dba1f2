import { expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { serve } from '../../src/site/serve'
import { deleteEverybody, openQuick } from '../support/databases'
import { peopleOf } from '../support/people'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

test('what is called before its domain is loaded waits for it, and is answered, kept safe and counted once', async () => {
  const config = readConfig({ PORT: '0', DATA_DIR: '/nowhere' })
  const { port, stop, services } = await serve(config, await openQuick(), 'none')
  const count = spyOn(services.traffic, 'count')
  const asked: [method: string, path: string, status: number][] = [
    ['GET', '/api/boards', 401],
    ['HEAD', '/api/boards', 401],
    ['PATCH', '/api/tasks/1', 401],
    ['GET', '/api/boards/1/snapshot', 401],
    ['POST', '/api/no-such-call', 404],
    ['GET', '/uploads/1-a.png', 401],
    ['GET', '/uploads/avatars/none.webp', 401],
    ['POST', '/unsubscribe?token=abc', 400],
    ['GET', '/trpc/boards.list', 401],
    ['GET', '/trpc/no.such', 404],
    ['GET', '/ws', 426],
  ]
  const answers = await Promise.all(asked.map(([method, path]) => fetch(`http://127.0.0.1:${port}${path}`, { method })))
  expect(answers.map(({ status }) => status)).toEqual(asked.map(([, , status]) => status))
  for (const { headers } of answers) expect(headers.get('content-security-policy')).toBeTruthy()
  expect(answers[1]?.headers.get('content-length')).toBe(answers[0]?.headers.get('content-length') ?? '')
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(asked.length)
  const counted = count.mock.calls.map(([{ method, route, status }]) => `${status} ${method} ${route}`)
  expect(counted.toSorted()).toEqual([
    '400 POST /unsubscribe',
    '401 GET /api/boards',
    '401 GET /api/boards/:boardId/snapshot',
    '401 GET /trpc/boards.list',
    '401 GET /uploads/:name',
    '401 GET /uploads/avatars/:name',
    '401 HEAD /api/boards',
    '401 PATCH /api/tasks/:taskId',
    '404 GET /trpc/*',
    '404 POST /api/*',
    '426 GET /ws',
  ])
  await stop()
})

test('a socket that was open before the routes were there goes on hearing and being heard', async () => {
  const config = readConfig({ PORT: '0', DATA_DIR: '/nowhere', TRUST_PROXY: '1' })
  const { db, close } = await openQuick()
  await deleteEverybody(db)
  const { port, stop } = await serve(config, { db, close }, 'none')
  const { ada, bob, board } = await peopleOf({ origin: `http://127.0.0.1:${port}`, db })
  const socket = await bob.socket(board)
  expect((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })).status).toBe(201)
  await socket.next('new_task')
  socket.send('ping', {})
  await socket.next('pong')
  await stop()
})
