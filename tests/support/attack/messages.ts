import { z } from 'zod'
import { clientMessages } from '../../../src/site/router'
import { type Draw, hostile, inputFor, type Known, write } from './values'
import type { Attacker } from './world'

const NO_BOARD = 2_147_483_647
const types = Object.entries(clientMessages).map(([type, { payload }]) => ({
  type,
  schema: z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any' }),
}))
export const messageNames = types.map(({ type }) => type)

const WHOLE = [
  '',
  '{',
  'null',
  '[]',
  '7',
  '"text"',
  '{"type":1}',
  '{"type":"__proto__"}',
  '{"type":"constructor","payload":{}}',
  '\0',
  '['.repeat(30_000),
  `{"type":"${'x'.repeat(70_000)}"}`,
]

/** A message of some type, or of none. */
export function messageFor(draw: Draw, known: Known): { call: string; data: string | Uint8Array<ArrayBuffer> } {
  if (draw.below(20) === 0) return { call: 'no message', data: draw.oneOf(WHOLE) }
  const { type, schema } = draw.oneOf(types)
  const payload = draw.below(15) === 0 ? hostile(draw) : inputFor(draw, [schema], known)
  const data = `{"type":${JSON.stringify(type)},"payload":${write(payload)}}`
  return { call: type, data: draw.below(30) === 0 ? Buffer.from(data) : data }
}

type Line = { socket: WebSocket; heard: string[]; listen: () => void }
const lines = new WeakMap<Attacker, Line>()

/** Opens who's channel anew where it is closed; null where it is refused. */
async function lineOf(origin: string, who: Attacker): Promise<Line | null> {
  const open = lines.get(who)
  if (open?.socket.readyState === WebSocket.OPEN) return open
  // Bun takes headers here; the browser's types, which the page needs, know only protocols.
  const options = { headers: { cookie: who.cookie, 'x-forwarded-for': who.address } } as unknown as string[]
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, options)
  const line: Line = { socket, heard: [], listen: () => {} }
  const opened = Promise.withResolvers<boolean>()
  socket.onopen = () => opened.resolve(true)
  socket.onmessage = ({ data }) => {
    line.heard.push(String(data))
    line.listen()
  }
  socket.onclose = () => {
    opened.resolve(false)
    line.listen()
  }
  if (!(await opened.promise)) return null
  lines.set(who, line)
  return line
}

export const hangUp = (who: Attacker) => lines.get(who)?.socket.close()

/** Sends a message and waits until it is dealt with; answers what came, and whether the line was closed for it. */
export async function say(origin: string, who: Attacker, data: string | Uint8Array<ArrayBuffer>) {
  const line = await lineOf(origin, who)
  if (!line) return { heard: [], end: 'refused' as const }
  line.heard = []
  const dealtWith = new Promise<'open' | 'closed'>((resolve) => {
    line.listen = () => {
      if (line.heard.some((text) => text.includes(`"boardId":${NO_BOARD}`))) resolve('open')
      else if (line.socket.readyState !== WebSocket.OPEN) resolve('closed')
    }
  })
  line.socket.send(data)
  // Messages of a person are dealt with one after the other.
  line.socket.send(JSON.stringify({ type: 'join_board', payload: { boardId: NO_BOARD } }))
  const end = await dealtWith
  return { heard: line.heard, end }
}
