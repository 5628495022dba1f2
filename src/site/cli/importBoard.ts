import { copyFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { countText } from '../../format'
import { type BoardImport, choices, type Loss } from '../../imports/schema'
import { grantImport, readImporter } from '../../imports/server/grants'
import { toImport } from '../../imports/server/lookup'
import { prepareFile } from '../../imports/server/prepare'
import { cancel, start } from '../../imports/server/start'
import { addImport } from '../../imports/server/store'
import { withIncoming } from '../../imports/server/tempFiles'
import { userNamed } from '../../operator/server/changes'
import type { Services } from '../../server/context'
import type { SignedIn } from '../../server/signedIn'
import { runTransaction } from '../../server/transaction'
import { CommandFailed, type Context, WrongUsage } from './command'

type Given = { file: string; user?: string; board?: string }
type Imported = { boardId: number; name: string; tasks: number; losses: Loss[] }

const LOOK_EVERY_MS = 300

export const prepare = (given: Given): Given => ({ ...given, file: resolve(given.file) })

/** As its future owner would on the page, who is asked there which name is theirs. */
export async function run(context: Context, { file, user, board }: Given): Promise<Imported> {
  if (user === undefined) throw new WrongUsage('--user is missing: it names the new board’s creator')
  const services = await context.services()
  const viewer = await readImporter(services.db, await userNamed({ db: services.db }, user))
  const upload = await withIncoming(services.config, async (path) => {
    await copyFile(file, path).catch((error: Error) => {
      throw new CommandFailed(`${file} cannot be read: ${error.message}`)
    })
    return prepareFile(services, viewer, path, basename(file), (prepared) =>
      runTransaction(services, ({ db }) => addImport(db, viewer, prepared)),
    )
  })
  const { name } = choices.parse({ name: board ?? upload.preview.name })
  await begin(services, viewer, upload, name)
  const { state, boardId, error, losses } = await ended(services, viewer, upload.id)
  if (state !== 'done' || boardId === null) throw new CommandFailed(error ?? 'The import was cancelled.')
  return { boardId, name, tasks: upload.preview.counts.tasks, losses: [...upload.preview.losses, ...losses] }
}

/** What may not begin leaves nothing. */
async function begin(services: Services, viewer: SignedIn, { id: importId }: BoardImport, name: string) {
  const given = { importId, choices: choices.parse({ name, me: null }) }
  await runTransaction(services, ({ db }) => start(db, viewer, given)).catch(async (error) => {
    await runTransaction(services, ({ db }) => cancel(db, viewer, importId), 'deletes')
    throw error
  })
}

/** Here, or in a server beside this process. */
async function ended(services: Services, viewer: SignedIn, importId: number): Promise<BoardImport> {
  for (;;) {
    await services.imports.run()
    const now = toImport((await grantImport(services.db, viewer, importId)).row)
    if (now.state !== 'running') return now
    await Bun.sleep(LOOK_EVERY_MS)
  }
}

export function show(result: unknown): string {
  const { boardId, name, tasks, losses } = result as Imported
  const lost = losses.map(({ what, count }) => `\n${count} × ${what}`)
  return `“${name}” is board ${boardId}, with ${countText(tasks, 'task')}${lost.join('')}`
}
