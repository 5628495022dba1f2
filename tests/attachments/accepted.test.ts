import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { acceptedExtensions, typeNotAccepted } from '../../src/attachments/schema'
import { ConfigError, readConfig } from '../../src/config'
import { serve } from '../../src/site/serve'
import { deleteEverybody, openInMemory } from '../support/databases'
import { formWith, PNG } from '../support/files'
import { peopleWithTask } from '../support/people'
import { dataFolder } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const folder = await dataFolder()
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
  await folder.remove()
})

async function start(env: Record<string, string>) {
  const database = await openInMemory()
  const running = await serve(readConfig({ PORT: '0', DATA_DIR: folder.path, ...env }), database, 'none')
  stops.push(running.stop)
  await deleteEverybody(database.db)
  const { bob, task } = await peopleWithTask({ origin: `http://127.0.0.1:${running.port}`, db: database.db })
  return {
    attach: async (bytes: Parameters<typeof formWith>[0], name: string) => {
      const { status, body } = await bob.http('POST', `/api/attachments/${task.id}`, formWith(bytes, name))
      return { status, ...(body as { mimeType: string; fileUrl: string; message: string }) }
    },
    get: (path: string) => bob.http('GET', path),
  }
}

test('a host sets which files are taken, and how large they may be', async () => {
  const { attach, get } = await start({ ATTACHMENT_MAX_MB: '1', ATTACHMENT_TYPES: '.zip, PDF' })
  const zip = await attach('PK any content', 'plan.ZIP')
  expect([zip.status, zip.mimeType]).toEqual([201, 'application/octet-stream'])
  const served = await get(zip.fileUrl)
  expect(served.headers.get('content-disposition')).toStartWith('attachment')
  expect(served.headers.get('content-security-policy')).toContain('sandbox')
  const picture = await attach(PNG, 'dot.png')
  expect([picture.status, picture.message]).toEqual([415, 'Only ZIP and PDF files are accepted.'])
  const forged = await attach('no pdf', 'no.pdf')
  expect(forged.status).toBe(415)
  const large = await attach('a'.repeat(2 ** 20 + 1), 'large.zip')
  expect([large.status, large.message]).toEqual([413, 'The file exceeds the 1MB size limit.'])
})

test('a host takes any file, and serves as a picture only what is one', async () => {
  const { attach } = await start({ ATTACHMENT_MAX_MB: '6', ATTACHMENT_TYPES: 'any' })
  expect((await attach('a'.repeat(6 * 2 ** 20), 'no ending')).status).toBe(201)
  expect((await attach('#!/bin/sh', 'run.sh')).status).toBe(201)
  expect(await attach('#!/bin/sh', 'run.png')).toMatchObject({ status: 201, mimeType: 'application/octet-stream' })
})

test('pages ask for what is taken, and say what is', () => {
  const { attachments } = readConfig({})
  expect(acceptedExtensions(attachments).slice(0, 3)).toEqual(['image/*', '.png', '.jpg'])
  expect(typeNotAccepted(attachments)).toBe('Only images, PDF, Word, Excel and plain text files are accepted.')
  expect(acceptedExtensions({ maxBytes: 1, types: ['any'] })).toEqual([])
  expect(typeNotAccepted({ maxBytes: 1, types: ['pdf', 'images'] })).toBe('Only PDF and images are accepted.')
  // A .doc is a Word file, too.
  const newOnly = { maxBytes: 1, types: ['docx', 'xlsx', 'txt'] }
  expect(typeNotAccepted(newOnly)).toBe('Only DOCX, XLSX and plain text files are accepted.')
})

test.each(['', ' , ', 'a/b', '*.png', 'a b'].filter((value) => value.trim()))('ATTACHMENT_TYPES %p is refused', (value) =>
  expect(() => readConfig({ ATTACHMENT_TYPES: value })).toThrow(ConfigError),
)
