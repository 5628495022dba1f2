import { beforeAll, expect, mock, test } from 'bun:test'
import { join } from 'node:path'
import { describeCalls } from '../../src/site/openapi'
import { ownAddress } from '../support/browser'
import { onOneDatabase } from '../support/databases'

const HERE = import.meta.dir
const MODULES = join(HERE, '../../node_modules')
const TSC = join(MODULES, 'typescript/bin/tsc')

beforeAll(async () => {
  // It builds syntax trees by TypeScript's JavaScript API, which TypeScript 7 has no more.
  mock.module('typescript', async () => ({ default: (await import('@typescript/typescript6')).default }))
  const { default: generate, astToString } = await import('openapi-typescript')
  const types = astToString(await generate(JSON.stringify(await describeCalls(true))))
  await Bun.write(join(MODULES, '.cache/wrk-api.d.ts'), types)
}, 60_000)

test('a client compiles against the types that are generated from the description', async () => {
  const compiler = Bun.spawn([process.execPath, TSC, '--project', HERE], { stdout: 'pipe', stderr: 'inherit' })
  expect(await new Response(compiler.stdout).text()).toBe('')
  expect(await compiler.exited).toBe(0)
}, 60_000)

onOneDatabase('a generated client', (server) => {
  test('signs in and works a board', async () => {
    const { workBoard } = await import(join(HERE, 'client.ts'))
    const { me, board, task, ...did } = await workBoard(server.origin, ownAddress())
    expect(me).toMatchObject({ username: 'clio', email: 'clio@example.com' })
    expect(did.refusal).toEqual({ message: 'Please log in', code: 'UNAUTHORIZED' })
    expect(board).toMatchObject({ name: 'Garden', createdBy: me.id, members: [{ id: me.id }] })
    expect(task).toMatchObject({ title: 'Dig', boardId: board.id, status: 'todo' })
    expect(did.status).toBe('done')
    expect(did.comment).toMatchObject({ taskId: task.id, content: 'Deeper', user: { username: 'clio' } })
    expect(did.comments).toEqual([did.comment])
    expect(did.entry).toMatchObject({ taskId: task.id, duration: 90, status: 'completed' })
    expect(did.report).toMatchObject({ minutes: 90, entries: 1, rows: [{ id: did.entry.id }], byTask: [{ title: 'Dig' }] })
    expect(did.gone).toEqual({ success: true })
    expect(did.lost).toMatchObject({ code: 'NOT_FOUND' })
    expect(did.boards).toEqual([])
  })
})
