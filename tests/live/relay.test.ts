import { expect, test } from 'bun:test'
import { createPartJoiner, splitMessage } from '../../src/server/live/relay'
import { random } from '../support/random'

const HEAD = `${crypto.randomUUID()} 12345678`
const LETTERS = ['a', 'é', '日', '🌱', '\n', ' ']

test('a text of any length and script goes through in parts that Postgres takes, and comes out whole', () => {
  const { oneOf, below } = random('the texts')
  for (const length of [0, 1, 7_000, 7_899, 8_000, ...Array.from({ length: 20 }, () => below(70_000))]) {
    const letter = oneOf(LETTERS)
    const text = letter.repeat(length) + oneOf(LETTERS)
    const parts = splitMessage(HEAD, text)
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThan(8_000)
    const whole: string[] = []
    const gather = createPartJoiner((_, one) => whole.push(one))
    // The end of another, whose beginning was not heard.
    gather(`${HEAD} 2 2 lost`)
    for (const part of parts) gather(part)
    expect(whole).toEqual([text])
  }
})
