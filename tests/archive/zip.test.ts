import { expect, test } from 'bun:test'
import { createZip } from '../../src/archive/server/writeArchive'

const MIB = 2 ** 20
const FILES = 200

test('what was written to an archive is not kept in memory', async () => {
  const zip = await createZip()
  const heap = () => {
    Bun.gc(true)
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  let held = 0
  async function* file(bytes: Uint8Array) {
    yield bytes
  }
  const written = (async () => {
    for (let n = 0; n < FILES; n++) await zip.add(`files/${n}`, file(new Uint8Array(MIB)), false)
    held = heap() - before
    zip.end()
  })()
  let bytes = 0
  for await (const chunk of zip.output) bytes += chunk.length
  await written
  expect(bytes).toBeGreaterThan(FILES * MIB)
  expect(held).toBeLessThan((FILES * MIB) / 4)
})
