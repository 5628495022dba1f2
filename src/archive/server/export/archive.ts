import { mkdir, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { BoardExportGrant } from '../../../boards/server/grants'
import type { Services } from '../../../server/context'
import { NoRoom } from '../../../server/errors'
import { incomingPath } from '../../../server/files/incoming'
import type { BoardTable } from '../../boardRows'
import { linesIn } from '../lines'
import { written } from '../rows'
import { writeBoardArchive } from '../writtenBoard'
import { numbered, type Stored } from './numbered'
import { readBoardRows } from './store'

type Needed = Pick<Services, 'db' | 'files' | 'room' | 'config'>

/** All of a board as it is at one moment. Rows lie on the disk until they are taken, so that slow readers hold nobody up. */
export async function* boardArchive({ db, files, room, config }: Needed, grant: BoardExportGrant): AsyncGenerator<Uint8Array> {
  const folder = await incomingPath(config.dataDir)
  await mkdir(folder, { mode: 0o700 })
  const assertRoom = () => {
    if (room.disk().free < config.diskReserve) throw new NoRoom()
  }
  try {
    const lines: Partial<Record<BoardTable, () => AsyncIterable<string>>> = {}
    const now = await readBoardRows(db, grant, async (table, parts) => {
      lines[table] = await written(folder, table, passing(parts, assertRoom))
    })
    const { tables, names } = numbered((table) => rowsIn<Stored[typeof table]>(lines[table]?.()), now)
    yield* writeBoardArchive(tables, (name) => files.get(names.get(name) ?? ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* passing(parts: AsyncIterable<string>, check: () => void): AsyncGenerator<string> {
  for await (const part of parts) {
    check()
    await setImmediate()
    yield part
  }
}

/** As they were written here just before. */
async function* rowsIn<Row>(lines: AsyncIterable<string> | undefined): AsyncGenerator<Row> {
  for await (const line of linesIn(lines ?? [])) yield JSON.parse(line)
}
