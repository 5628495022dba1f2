import { FREE_LIMIT } from '../../boards/schema'
import { mayHaveAnotherBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { done } from '../../protocol'
import type { Services } from '../../server/context'
import { badRequest, conflict, forbidden, notFound, Refusal } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import { BOARDS_MAX, type BoardImport, type Choices, type Preview, type RereadInput, type StartInput } from '../schema'
import { grantChangingImport, grantImport } from './grants'
import { boardsOf, type ImportRow, madeBoardsOf, storedPreview, toImport } from './lookup'
import { prepareReread } from './prepare'
import { deleteImport, type NewImport, replaceImport, startImport } from './store'

export async function start(db: Db, viewer: SignedIn, { importId, choices }: StartInput): Promise<BoardImport> {
  // Locks the account before the import, in the order in which filling a board does.
  const mayHaveOne = await mayHaveAnotherBoard(db, viewer)
  const grant = await grantChangingImport(db, viewer, importId)
  assertNotStarted(grant.row)
  if (!choices.boardPerList) assertNoBoards(grant.row)
  const count = boardsToMake(grant.row, choices)
  const isRoom = count === 0 || (mayHaveOne && (await mayHaveAnotherBoard(db, viewer, count)))
  if (!isRoom) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  return toImport(await startImport(db, grant, choices))
}

function boardsToMake(row: ImportRow, choices: Choices): number {
  if (!choices.boardPerList) return 1
  const made = madeBoardsOf(row).map(({ list }) => list)
  const all = new Set([...made, ...listsWithTasks(storedPreview(row), choices)])
  if (all.size > BOARDS_MAX)
    throw badRequest(`An import can create at most ${BOARDS_MAX} boards. Leave some lists out, or import them into one board.`)
  return made.length > 0 ? all.size - made.length : Math.max(1, all.size)
}

/** Null stands for tasks without a list. */
function listsWithTasks({ counts, lists }: Preview, { columns, closed: takesClosed }: Choices): (string | null)[] {
  const listed = (kind: 'tasks' | 'closed') => lists.reduce((sum, list) => sum + (list[kind] ?? 0), 0)
  const unlisted = { name: null, tasks: counts.tasks - listed('tasks'), closed: counts.closed - listed('closed') }
  const isLeft = (name: string) => Object.hasOwn(columns, name) && columns[name] === 'leave'
  return [unlisted, ...lists].flatMap(({ name, tasks, closed = 0 }) =>
    (tasks > 0 || (takesClosed && closed > 0)) && (name === null || !isLeft(name)) ? [name] : [],
  )
}

/** Another reading would make other boards beside them. */
const assertNoBoards = (row: ImportRow) => {
  if (boardsOf(row).length > 0)
    throw conflict('Some boards from this import already exist. Upload the file again to import it with other settings.')
}

const assertNotStarted = ({ state }: Pick<ImportRow, 'state'>) => {
  if (state !== 'ready' && state !== 'failed') throw conflict('This import has already started.')
}

export async function reread(
  services: Services,
  viewer: SignedIn,
  { importId, reading }: RereadInput,
  replace: (work: (db: Db) => Promise<BoardImport>) => Promise<BoardImport>,
): Promise<BoardImport> {
  const grant = await grantImport(services.db, viewer, importId)
  assertNotStarted(grant.row)
  assertNoBoards(grant.row)
  const { original, fileName, bytes } = grant.row
  if (original === null) throw badRequest(NOT_A_CSV)
  const replaceLocked = (prepared: NewImport) =>
    replace(async (db) => {
      const changing = await grantChangingImport(db, viewer, importId)
      assertNotStarted(changing.row)
      assertNoBoards(changing.row)
      return replaceImport(db, changing, prepared)
    })
  const again = (path: string) => prepareReread(services, viewer, path, { fileName, reading, bytes }, replaceLocked)
  let failure: unknown = notFound('Import not found')
  try {
    const read = await services.files.withLocalFile(original, again)
    if (read) return read
  } catch (error) {
    if (error instanceof Refusal) throw error
    failure = error
  }
  // A missing file is no fault: it is deleted once the board is there or the import was deleted.
  assertNotStarted((await grantImport(services.db, viewer, importId)).row)
  throw failure
}

const NOT_A_CSV = 'Only a CSV file can be read again with other settings.'

export async function cancel(db: Db, viewer: SignedIn, importId: number) {
  await deleteImport(db, await grantChangingImport(db, viewer, importId))
  return done
}
