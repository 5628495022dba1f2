import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackup, restore } from '../../src/archive/server/restore'
import { readConfig } from '../../src/config'
import { openFiles } from '../../src/server/files/storage'
import { type Place, placeOn, QUICKER } from '../support/places'
import { PATIENCE } from '../support/until'
import { contents } from './filled'

setDefaultTimeout(PATIENCE)

const FOLDER = join(import.meta.dir, 'released')
const places: Place[] = []
afterAll(() => Promise.all(places.map(({ remove }) => remove())))

test.each((await readdir(FOLDER)).toSorted())('what %s holds is there after a restore, in the schema of today', async (name) => {
  const place = await placeOn(QUICKER)
  places.push(place)
  const config = readConfig(place.env)
  const { manifest, list, close } = await openBackup(join(FOLDER, name))
  await restore(join(FOLDER, name), config, () => {})
  const rows = await place.within(contents)
  for (const table of manifest.tables)
    expect([table.name, Number.parseInt(rows[table.name] ?? '', 10)]).toEqual([table.name, table.rows])
  expect(Number.parseInt(rows.finder_texts ?? '', 10)).toBeGreaterThan(0)
  for (const line of String(Buffer.concat(await Array.fromAsync(list())))
    .trim()
    .split('\n')) {
    const { name, sha256 } = JSON.parse(line)
    const bytes = await (await openFiles(config).get(name))?.bytes()
    expect(new Bun.CryptoHasher('sha256').update(bytes ?? '').digest('hex')).toBe(sha256)
  }
  close()
})
