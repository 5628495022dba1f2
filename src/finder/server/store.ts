import type { Db } from '../../db/database'
import { plainWords } from '../../markdown'
import type { SignedIn } from '../../server/signedIn'
import { displayName } from '../../users/schema'
import { plain, wordsOf } from '../rank'
import { byRank, type Found, type FoundComment, type FoundTask, SHOWN } from '../schema'
import { selectBoards, selectByLikeness, selectByWords, selectPeople } from './lookup'

/** Fewer results may be due to a typing error. */
const FEW = 5
const LETTERS_OF_A_WORD = 3
/** Scripts without spaces: one or two letters are a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Only of the viewer's boards. */
export async function find(db: Db, viewer: SignedIn, text: string): Promise<Found> {
  const [rows, boards, people] = await Promise.all([
    selectByWords(db, viewer, text),
    selectBoards(db, viewer, text),
    selectPeople(db, viewer, text),
  ])
  const best = byRank(
    rows.filter(({ commentId }) => commentId === null),
    text,
    ({ title }) => title,
  ).slice(0, SHOWN.tasks)
  const alike =
    best.length < FEW && (text.length >= LETTERS_OF_A_WORD || UNSPACED.test(text)) ? await selectByLikeness(db, viewer, text) : []
  const known = new Set(best.map(({ id }) => id))
  const others = alike.filter(({ id }) => !known.has(id)).map(({ likeness, ...task }) => ({ ...task, excerpt: null, tag: null }))
  const comments = rows.filter(({ commentId }) => commentId !== null).slice(0, SHOWN.comments)
  return {
    boards: byRank(boards, text, ({ name }) => name).slice(0, SHOWN.boards),
    tasks: [...best.map((row) => toTask(row, text)), ...others].slice(0, SHOWN.tasks),
    comments: comments.flatMap((row) => toComment(row, text)),
    people: byRank(people, text, (person) => `${displayName(person)} ${person.username}`).slice(0, SHOWN.people),
  }
}

type Row = Awaited<ReturnType<typeof selectByWords>>[number]

function toTask({ commentId, description, tags, content, user, ...task }: Row, text: string): FoundTask {
  const lacking = wordsOf(text).filter((word) => !plain(task.title).includes(word))
  const tag = tags.find((one) => lacking.some((word) => plain(one).includes(word))) ?? null
  const isInDescription = description !== null && lacking.some((word) => plain(description).includes(word))
  // The beginning of a description says less than the tag.
  return { ...task, tag, excerpt: description && (isInDescription || !tag) ? excerptOf(description, text) : null }
}

function toComment({ id, title, board, commentId, content, user }: Row, text: string): FoundComment[] {
  if (commentId === null || content === null || user === null) return []
  return [{ id: commentId, task: { id, title }, board, user, excerpt: excerptOf(content, text) }]
}

const LENGTH = 140
const BEFORE = 40

/** The part of a text around the first match, on one line. */
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
