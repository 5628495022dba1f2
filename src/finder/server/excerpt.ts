import { plainWords } from '../../markdown'
import { plain, wordsOf } from '../basics'

const LENGTH = 140
const BEFORE = 40

/** The part of a text where it begins to speak of what was looked for, on one line. */
export function excerptOf(text: string, typed: string): string {
  const line = plainWords(text).replace(/\s+/g, ' ').trim()
  const within = plain(line)
  const places = wordsOf(typed).flatMap((word) => {
    const at = within.indexOf(word)
    return at < 0 ? [] : [at]
  })
  const first = Math.min(...places, line.length)
  const from = first === line.length || first < LENGTH - BEFORE ? 0 : line.indexOf(' ', first - BEFORE) + 1
  const characters = [...line.slice(from)]
  const part = characters.slice(0, LENGTH).join('')
  return `${from > 0 ? '…' : ''}${part}${characters.length > LENGTH ? '…' : ''}`
}
