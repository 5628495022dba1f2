import { copyFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { boardArchive } from '../../archive/server/boardExport.store'
import { sizeText } from '../../archive/server/writeArchive'
import { countText } from '../../format'
import { type BoardImport, choices, type Loss } from '../../imports/schema'
import { grantImport, readImporter } from '../../imports/server/grants'
import { toImport } from '../../imports/server/lookup'
import { prepareFile } from '../../imports/server/prepare'
import { cancel, start } from '../../imports/server/start'
import { addImport } from '../../imports/server/store'
import type { ListedBoard } from '../../operator/schema'
import { byCommand, handBoardOver, userNamed } from '../../operator/server/changes'
import { grantCommandReading, grantExportByCommand } from '../../operator/server/grants'
import { listAllBoards } from '../../operator/server/store'
import type { Services } from '../../server/context'
import { withIncoming } from '../../server/files/storage'
import type { SignedIn } from '../../server/signedIn'
import { runTransaction } from '../../server/transaction'
import { writeTo } from './backup'
import { CommandFailed, type Context, type Module, STDOUT, WrongUsage } from './command'
import { columns, everyPart, numberIn, printable } from './output'

const shown = ({ id, name, creator, members, tasks, createdAt }: ListedBoard) => ({
  id: String(id),
  name: printable(name),
  creator: creator.username,
  members: String(members),
  tasks: String(tasks),
  since: createdAt.slice(0, 10),
})

export const list: Module<{ search?: string }, ListedBoard[]> = {
  run: ({ database: { db } }, { search = '' }) =>
    everyPart((cursor) => listAllBoards(db, grantCommandReading(), { search, ...(cursor && { cursor }) })),
  show: (boards) => columns(boards.map(shown)),
}

export const handOver: Module<{ board: string; who: string }> = {
  async run(context, { board, who }) {
    const boardId = numberIn(board)
    return byCommand(await context.services(), async (ctx) => {
      const userId = await userNamed(ctx, who)
      await handBoardOver(ctx, boardId, userId)
      return { boardId, userId }
    })
  },
  show: (_, { board, who }) => `${who} is now the creator of board ${board}`,
}

export const exportBoard: Module<{ board: string; file: string; force?: boolean }, { file: string; bytes: number }> = {
  async *stream(context, { board }) {
    const services = await context.services()
    yield* boardArchive(services, await grantExportByCommand(services.db, numberIn(board)))
  },
  take: async (chunks, given) => ({ file: given.file, bytes: await writeTo(chunks, given) }),
  show: ({ file, bytes }, { board }) =>
    file === STDOUT ? `${sizeText(bytes)} sent` : `board ${board} was exported to ${file} (${sizeText(bytes)})`,
}

type ToImport = { file: string; user?: string; board?: string }
type Imported = { boardId: number; name: string; tasks: number; losses: Loss[] }

const LOOK_EVERY_MS = 300

/** As its future owner would on the page, where they are asked which name is theirs. */
export const importBoard: Module<ToImport, Imported> = {
  prepare: (given) => ({ ...given, file: resolve(given.file) }),
  run: runImport,
  show: ({ boardId, name, tasks, losses }) =>
    [
      `“${printable(name)}” is board ${boardId}, with ${countText(tasks, 'task')}`,
      ...losses.map(({ what, count }) => `${count} × ${what}`),
    ].join('\n'),
}

async function runImport(context: Context, { file, user, board }: ToImport): Promise<Imported> {
  if (user === undefined) throw new WrongUsage('--user is missing: it names the new board’s creator')
  const name = board === undefined ? undefined : boardNameIn(board)
  const services = await context.services()
  const viewer = await readImporter(services.db, await userNamed({ db: services.db }, user))
  const upload = await withIncoming(services.config.dataDir, async (path) => {
    await copyFile(file, path).catch((error: Error) => {
      throw new CommandFailed(`${file} cannot be read: ${error.message}`)
    })
    return prepareFile(services, viewer, path, basename(file), (prepared) =>
      runTransaction(services, ({ db }) => addImport(db, viewer, prepared)),
    )
  })
  try {
    return await importUpload(services, viewer, upload, name ?? upload.preview.name)
  } catch (error) {
    // A failed import would take up one of the user's few places.
    await runTransaction(services, ({ db }) => cancel(db, viewer, upload.id), 'deletes').catch(() => {})
    throw error
  }
}

/** Throws WrongUsage. */
function boardNameIn(given: string): string {
  const { data, error } = choices.shape.name.safeParse(given)
  if (data === undefined) throw new WrongUsage(`"${printable(given)}" cannot name a board: ${error.issues[0]?.message}`)
  return data
}

async function importUpload(services: Services, viewer: SignedIn, upload: BoardImport, name: string): Promise<Imported> {
  const given = { importId: upload.id, choices: choices.parse({ name, me: null }) }
  await runTransaction(services, ({ db }) => start(db, viewer, given))
  const { state, boardId, error, losses } = await ended(services, viewer, upload.id)
  if (state !== 'done' || boardId === null) throw new CommandFailed(error ?? 'The import was cancelled.')
  const { preview } = upload
  return { boardId, name: given.choices.name, tasks: preview.counts.tasks, losses: [...preview.losses, ...losses] }
}

/** In this process, or in a server running beside it. */
async function ended(services: Services, viewer: SignedIn, importId: number): Promise<BoardImport> {
  for (;;) {
    await services.imports.run()
    const now = toImport((await grantImport(services.db, viewer, importId)).row)
    if (now.state !== 'running') return now
    await Bun.sleep(LOOK_EVERY_MS)
  }
}
