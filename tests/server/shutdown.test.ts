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

  const { answer } = await register(origin)
  // Sent later and answered: the registration was read by now, and hashing takes tens of milliseconds.
  await fetch(`${origin}/health`)
  child.kill('SIGTERM')
  expect(await answer).toStartWith('HTTP/1.1 201')
  expect((await socket.closed()).code).toBe(1001)
  expect(await child.exited).toBe(0)
  await expect(fetch(`${origin}/health`)).rejects.toThrow()
  idle.destroy()
})

/** Sends a registration; resolves, when all of it is sent, to how it is answered. */
async function register(origin: string): Promise<{ answer: Promise<string> }> {
  const body = JSON.stringify({ username: 'grace', email: 'grace@example.com', password: PASSWORD })
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  socket.on('data', (data) => resolve(String(data)))
  socket.on('close', () => resolve('closed without an answer'))
  const head = `POST /api/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  await new Promise<void>((sent) => socket.write(head + body, () => sent()))
  return { answer }
}
