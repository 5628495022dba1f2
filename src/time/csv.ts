import { TRPCError } from '@trpc/server'
import { conflict, unauthorized } from '../server/errors'
import { grantReading } from '../server/grants'
import { disposition } from '../server/headers'
import { countCall } from '../server/limits'
import type { Context } from '../server/trpc'
import { createPlaces } from '../server/turns'
import { displayName } from '../users/inputs'
import { dayText, durationText, NOTHING_TO_EXPORT, reportFilter } from './inputs'
import { type Exported, exported, readExported } from './report/store'

/** Each holds what its reader has not taken yet, and somebody may read very slowly. */
const takePlace = createPlaces({ each: 2, all: 30 }, 'Too many exports at once.')

/** So many entries are in memory at once. */
const AT_ONCE = 1_000

/**
 * A board's time as a file for spreadsheets (board-page.md, section 9): all that the filters let through, and no timer
 * that runs, as nothing of it is logged yet. Which entries is asked once, so that none is missing or there twice,
 * whatever others change meanwhile; they are read as fast as they are taken, outside of any transaction, which someone
 * slow would hold open.
 */
export async function sendCsv({ parts, session, headers }: Context, boardId: number, request: Request): Promise<Response> {
  if (!session) throw unauthorized()
  await countCall(parts, session)
  const filter = reportFilter.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!filter.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: filter.error })
  const grant = await grantReading(parts.db, session.user, boardId)
  const leave = takePlace(session.user.id)
  const ids = await exported(parts.db, grant, filter.data).catch((error) => {
    leave()
    throw error
  })
  if (ids.length === 0) {
    leave()
    throw conflict(NOTHING_TO_EXPORT)
  }
  headers.set('Content-Type', 'text/csv; charset=utf-8')
  headers.set('Content-Disposition', disposition('attachment', fileName(grant.board.name)))
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const some = ids.slice(sent, sent + AT_ONCE)
      const entries = await readExported(parts.db, grant, some).catch((error) => {
        leave()
        throw error
      })
      stream.enqueue(new TextEncoder().encode((sent === 0 ? BOM + line(COLUMNS) : '') + entries.map(row).join('')))
      sent += some.length
      if (sent < ids.length) return
      leave()
      stream.close()
    },
    cancel: leave,
  })
  return new Response(body, { headers })
}

/** "The file is named for the board and marked filtered": always, as all that is shown may be all there is, or not. */
const fileName = (board: string) => `${board.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')} - time logs (filtered).csv`

/** Tells spreadsheets that this is UTF-8. */
const BOM = '\uFEFF'

const COLUMNS = ['Task', 'User', 'Date', 'Duration (minutes)', 'Duration (formatted)', 'Notes']

const row = ({ task, day, duration, note, ...user }: Exported) =>
  line([task, displayName(user), dayText(day), String(duration), durationText(duration), note ?? ''])

/** As RFC 4180 has it; where semicolons or tabs part cells, those in a text must not. */
const line = (cells: string[]) => `${cells.map(cell).join(',')}\r\n`

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** What spreadsheets would run; the wide ones too, which some read as their narrow twins. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
