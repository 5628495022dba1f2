import { boardArchive } from '../../archive/server/boardExport.store'
import { saveArchive, sizeText } from '../../archive/server/saveArchive'
import { grantExportByCommand } from '../../operator/server/grants'
import { print, STDOUT } from './backup'
import { numberIn } from './columns'
import type { Context } from './command'

export { fillsStdout } from './backup'

type Given = { board: string; file: string; force?: boolean }

export async function* stream(context: Context, { board }: Given): AsyncGenerator<Uint8Array> {
  const services = await context.services()
  yield* boardArchive(services, await grantExportByCommand(services.db, numberIn(board)))
}

export const take = async (chunks: AsyncIterable<Uint8Array>, { file, force }: Given) => ({
  file,
  bytes: file === STDOUT ? await print(chunks) : await saveArchive(file, chunks, force),
})

export function show(result: unknown, { board }: Given): string {
  const { file, bytes } = result as Awaited<ReturnType<typeof take>>
  return file === STDOUT ? `${sizeText(bytes)} were sent` : `${file} has board ${board}, ${sizeText(bytes)}`
}
