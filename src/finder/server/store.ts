import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import { isMemberOf, notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { boardMembers, boards, comments, tasks, users } from '../../db/tables'
import { foldCase } from '../../format'
import { plainWords } from '../../markdown'
import type { SignedIn } from '../../server/signedIn'
import { notDeleted as taskNotDeleted } from '../../tasks/server/lookup'
import { displayName, summaryOf, type UserSummary } from '../../users/schema'
import { hasAccount, summaryJson } from '../../users/server/lookup'
import { matchingTag, wordsOf } from '../rank'
import { byRank, type Found, type FoundBoard, type FoundComment, type FoundTask, SHOWN } from '../schema'

/** Fewer results may be due to a typing error. */
const FEW = 5
const LETTERS_OF_A_WORD = 3
/** Scripts without spaces: one or two letters are a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

export async function find(db: Db, viewer: SignedIn, text: string): Promise<Found> {
  // Some programs write accents and Hangul in parts, and the index has texts as they were written.
  const forms = new Set([text, text.normalize('NFC'), text.normalize('NFD')])
  const [boards, people, ...found] = await Promise.all([
    selectBoards(db, viewer, text),
    selectPeople(db, viewer, text),
    ...[...forms].map((form) => selectByWords(db, viewer, form)),
  ])
  const rows = [...new Map(found.flat().map((row) => [`${row.id} ${row.commentId}`, row])).values()].toSorted(newestFirst)
  const best = byRank(rows.filter(({ commentId }) => commentId === null).toSorted(openFirst), text, ({ title }) => title).slice(
    0,
    SHOWN.tasks,
  )
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

const openFirst = (a: Row, b: Row) => Number(a.status === 'done') - Number(b.status === 'done')
const newestFirst = (a: Row, b: Row) => b.id - a.id || (b.commentId ?? 0) - (a.commentId ?? 0)

type Row = Awaited<ReturnType<typeof selectByWords>>[number]

function toTask({ commentId, description, tags, content, user, ...task }: Row, text: string): FoundTask {
  const lacking = wordsOf(text).filter((word) => !foldCase(task.title).includes(word))
  const tag = matchingTag({ ...task, tags }, text)
  const isInDescription = description !== null && lacking.some((word) => foldCase(description).includes(word))
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
  const line = plainWords(text).normalize('NFC').replace(/\s+/g, ' ').trim()
  const within = foldCase(line)
  const places = wordsOf(typed).flatMap((word) => {
    const at = within.indexOf(word)
    return at < 0 ? [] : [at]
  })
  const first = Math.min(...places, line.length)
  const from = first === line.length || first < LENGTH - BEFORE ? 0 : beginBefore(line, first)
  const characters = [...line.slice(from)]
  const part = characters.slice(0, LENGTH).join('')
  return `${from > 0 ? '…' : ''}${part}${characters.length > LENGTH ? '…' : ''}`
}

function beginBefore(line: string, place: number): number {
  const before = [...line.slice(0, place)].slice(-BEFORE).join('')
  return place - before.length + before.indexOf(' ') + 1
}

/** The most texts to rank, evenly from each board, so that common words take no longer. */
const WEIGHED = 3_000
const LIKELY_TASKS = 60
const LIKELY_COMMENTS = 20

/** The newest titles of each board are compared by similarity. */
const COMPARED = 1_500
const LIKENESS = { names: 0.35, titles: 0.3 }
const ALIKE_MAX = 20

const ownBoards = (db: Db, viewer: SignedIn) =>
  db
    .select({ id: boards.id })
    .from(boardMembers)
    .innerJoin(boards, eq(boards.id, boardMembers.boardId))
    .where(and(eq(boardMembers.userId, viewer.id), notDeleted))

const likeness = (text: string, within: SQL) => sql<number>`case
  when strpos(lower(${within}), lower(${text})) > 0 then 1 else word_similarity(${text}, ${within}) end`

const taskColumns = {
  id: tasks.id,
  title: tasks.title,
  status: tasks.status,
  board: sql<FoundBoard>`json_build_object('id', ${boards.id}, 'name', ${boards.name})`,
}

/** Tasks and comments with all words; the last word may be incomplete. */
function selectByWords(db: Db, viewer: SignedIn, text: string) {
  const likely = sql`(
    with found as materialized (select * from find_texts(array(${ownBoards(db, viewer)}), ${text}, ${WEIGHED}))
    (select * from found where comment_id = 0 order by in_title desc, task_id desc limit ${LIKELY_TASKS}) union all
    (select * from found where comment_id > 0 order by comment_id desc limit ${LIKELY_COMMENTS})) as likely`
  // As a plain condition, Postgres would begin with it and read all tasks of the user's boards.
  const isVisible = sql`case when ${isMemberOf(tasks.boardId, viewer.id)} then true end`
  return db
    .select({
      ...taskColumns,
      description: sql<string | null>`case when not in_title then ${tasks.description} end`,
      tags: tasks.tags,
      commentId: comments.id,
      content: comments.content,
      user: sql<UserSummary | null>`case when ${users.id} is not null then ${summaryJson} end`,
    })
    .from(likely)
    .innerJoin(tasks, sql`${tasks.id} = likely.task_id`)
    .innerJoin(boards, eq(boards.id, tasks.boardId))
    .leftJoin(comments, sql`${comments.id} = likely.comment_id`)
    .leftJoin(users, eq(users.id, comments.userId))
    .where(and(taskNotDeleted, isVisible, sql`(comment_id = 0 or ${comments.id} is not null)`))
    .orderBy(desc(tasks.id), desc(comments.id))
}

/** Tasks with similar titles, for typing errors; the most similar first. */
function selectByLikeness(db: Db, viewer: SignedIn, text: string) {
  const newest = sql`unnest(array(${ownBoards(db, viewer)})) with ordinality as own (board, place)
    cross join lateral (
      select newest.id, ${likeness(text, sql`newest.title`)} as likeness from tasks newest
      where newest.board_id = own.board and newest.deleted_at is null order by newest.id desc
      limit ${COMPARED} / (select count(*) from board_members where user_id = ${viewer.id})) as alike`
  return db
    .select({ ...taskColumns, likeness: sql<number>`alike.likeness` })
    .from(newest)
    .innerJoin(tasks, sql`${tasks.id} = alike.id`)
    .innerJoin(boards, eq(boards.id, tasks.boardId))
    .where(and(sql`alike.likeness >= ${LIKENESS.titles}`, taskNotDeleted))
    .orderBy(sql`alike.likeness desc`, desc(tasks.id))
    .limit(ALIKE_MAX)
}

function selectBoards(db: Db, viewer: SignedIn, text: string) {
  const alike = likeness(text, sql`own.name`)
  // The offset makes Postgres compare the user's own boards only.
  const own = sql`(
    select ${boards.id}, ${boards.name} from ${boards} join ${boardMembers} on ${eq(boardMembers.boardId, boards.id)}
    where ${and(eq(boardMembers.userId, viewer.id), notDeleted)} offset 0) as own`
  return db
    .select({ id: sql<number>`own.id`, name: sql<string>`own.name` })
    .from(own)
    .where(gte(alike, LIKENESS.names))
    .orderBy(desc(alike), sql`own.id desc`)
    .limit(ALIKE_MAX)
}

function selectPeople(db: Db, viewer: SignedIn, text: string) {
  const alike = likeness(text, sql`concat_ws(' ', ${users.name}, ${users.username})`)
  const near = db
    .select({ userId: boardMembers.userId })
    .from(boardMembers)
    .where(inArray(boardMembers.boardId, ownBoards(db, viewer)))
  return db
    .select(summaryOf(users))
    .from(users)
    .where(and(inArray(users.id, near), hasAccount, gte(alike, LIKENESS.names)))
    .orderBy(desc(alike), desc(users.id))
    .limit(ALIKE_MAX)
}
