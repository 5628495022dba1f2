import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { browser } from '../support/browser'
import { PASSWORD } from '../support/people'
import { type Place, placeOn, QUICKER } from '../support/places'
import { startServer } from '../support/process'
import { openSocket } from '../support/socket'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

let place: Place
beforeAll(async () => {
  place = await placeOn(QUICKER)
})
afterAll(() => place.remove())

test('SIGTERM finishes what is under way, closes sockets as going away, and ends well', async () => {
  const { child, origin } = await startServer(place.env)
  const ada = browser(origin)
  await ada.http('POST', '/api/auth/dev-login-json')
  const socket = await openSocket(origin, { cookie: ada.cookie() })
  const idle = connect(Number(new URL(origin).port), '127.0.0.1')
  idle.on('error', () => {})

  // Hashing takes tens of milliseconds, so these are under way when the signal comes.
  const slow = await halfSent(origin)
  slow.finish()
  await slow.started
  child.kill('SIGTERM')
  expect(await slow.answer).toStartWith('HTTP/1.1 201')
  expect((await socket.closed()).code).toBe(1001)
  expect(await child.exited).toBe(0)
  await expect(fetch(`${origin}/health`)).rejects.toThrow()
  idle.destroy()
})

/** A registration whose body is held back until `finish`. */
async function halfSent(origin: string) {
  const body = JSON.stringify({ username: 'grace', email: 'grace@example.com', password: PASSWORD })
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const answer = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  socket.on('data', (data) => answer.resolve(String(data)))
  socket.on('close', () => answer.resolve('closed without an answer'))
  socket.write(
    `POST /api/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  return {
    answer: answer.promise,
    started: started.promise,
    finish: () => socket.write(body, () => started.resolve()),
  }
}
