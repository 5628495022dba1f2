import { afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { chmod, mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../../src/db/database'
import { mails } from '../../src/db/tables'
import { createMailer } from '../../src/server/mail/mailer'
import { writeMail } from '../../src/server/mail/store'
import { sweepMailFiles } from '../../src/server/mail/transport'
import { openInMemory } from '../support/databases'
import { readMail } from '../support/mail'
import { dataFolder } from '../support/process'

let database: Database
let data: Awaited<ReturnType<typeof dataFolder>>
beforeAll(async () => {
  database = await openInMemory()
})
beforeEach(async () => {
  await database.db.delete(mails)
  data = await dataFolder()
})
afterEach(() => data.remove())

const LINK = 'https://wrk.example.com/auth/verify?token=abc'
const write = (subject = 'Your link') =>
  writeMail(database.db, { to: 'ada@example.com', subject, text: `Open:\n${LINK}`, html: `<a href="${LINK}">Open</a>` })

/** What is logged while everything that is due is written to disk. */
async function look(production = false): Promise<string[]> {
  const said = spyOn(console, 'log').mockImplementation(() => {})
  const post = createMailer(database.db, {
    smtpUrl: undefined,
    mailFrom: 'wrk <post@wrk.example.com>',
    dataDir: data.path,
    production,
  })
  post.sendSoon()
  await post.stop(10_000)
  const lines = said.mock.calls.map((words) => words.join(' '))
  said.mockRestore()
  return lines
}
const folder = () => join(data.path, 'mail')
const mode = async (path: string) => (await stat(path)).mode & 0o777

test('without a mail server a mail is one line in the log, with its link, and a file that only the host can read', async () => {
  await write()
  const lines = await look()
  const [file = '', ...more] = await readdir(folder())
  expect(more).toEqual([])
  expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-\d+\.eml$/)
  expect(lines).toEqual([`email to ada@example.com: Your link ${LINK} (${join(folder(), file)})`])
  expect([await mode(folder()), await mode(join(folder(), file))]).toEqual([0o700, 0o600])
  const mail = await readMail(await Bun.file(join(folder(), file)).text())
  expect(mail).toMatchObject({
    subject: 'Your link',
    link: LINK,
    headers: { from: 'wrk <post@wrk.example.com>', to: 'ada@example.com' },
  })
  expect(mail.html).toContain(`href="${LINK}"`)
  expect(await database.db.select().from(mails)).toMatchObject([{ state: 'sent', text: '', html: '' }])
})

test('the link in the log is the one of the button, whatever somebody wrote above it', async () => {
  const text = `ada wrote:\n\nhttps://evil.example/reset\n\nsee https://evil.example\n\nOpen the task:\n${LINK}\n\nYou get this because of ${LINK}x.`
  await writeMail(database.db, { to: 'ada@example.com', subject: 'Hello', text, html: '' })
  expect((await look())[0]).toStartWith(`email to ada@example.com: Hello ${LINK} (`)
})

test('a subject cannot begin another line of the log', async () => {
  await write('Hello\r\nmail to eve@example.com: \u001b[31mhttps://evil.example\u2028x')
  const lines = await look()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toStartWith('email to ada@example.com: Hello mail to eve@example.com:  [31mhttps://evil.example x')
  expect(lines[0]).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
})

test('a folder that others could read is closed to them', async () => {
  await mkdir(folder())
  await chmod(folder(), 0o755)
  await write()
  await look()
  expect(await mode(folder())).toBe(0o700)
})

test('where the file cannot be written the mail waits, and written twice it is one file', async () => {
  await Bun.write(folder(), 'in the way')
  await write()
  expect(await look()).toEqual([])
  const [waiting] = await database.db.select().from(mails)
  expect(waiting).toMatchObject({ state: 'waiting', tries: 1 })
  await Bun.file(folder()).delete()
  for (let tries = 0; tries < 2; tries++) {
    await database.db.update(mails).set({ state: 'waiting', nextTryAt: sql`now()` })
    await look()
  }
  expect(await readdir(folder())).toHaveLength(1)
})

test('in production the log names the file, and neither the link, nor to whom it goes, nor the subject', async () => {
  await write()
  const lines = await look(true)
  const [file = ''] = await readdir(folder())
  expect(lines).toEqual([expect.stringMatching(/^email \d+ is in /)])
  expect(lines[0]).toEndWith(` is in ${join(folder(), file)}`)
  expect(await Bun.file(join(folder(), file)).text()).toContain('token')
})

test('such files go after a day, and nothing else does', async () => {
  await sweepMailFiles(data.path)
  await write()
  await look()
  const [young = ''] = await readdir(folder())
  const [dayAgo, yesterday] = [24.1, 23.9].map((hours) => new Date(Date.now() - hours * 3_600_000))
  for (const [name, at] of [
    ['old.eml', dayAgo],
    ['old.eml.part', dayAgo],
    ['notes.txt', dayAgo],
    ['younger.eml', yesterday],
  ] as const) {
    await Bun.write(join(folder(), name), 'x')
    await utimes(join(folder(), name), at ?? '', at ?? '')
  }
  await sweepMailFiles(data.path)
  expect((await readdir(folder())).toSorted()).toEqual([young, 'notes.txt', 'younger.eml'].toSorted())
})
