import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Database, Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { mails } from '../../src/db/tables'
import { createMailer } from '../../src/server/mail/mailer'
import { cleanMails, writeMail } from '../../src/server/mail/store'
import { openInMemory, scratchDatabase } from '../support/databases'
import { type Mailbox, type Manner, mailbox } from '../support/mail'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const MINUTE = 60_000
const LINK = 'https://wrk.example.com/auth/verify?token=abc'
const secret = { subject: 'Your link', text: `Open ${LINK}`, html: `<a href="${LINK}">Open</a>` }

onEachBareDatabase('the post', (database) => {
  let box: Mailbox
  beforeEach(async () => {
    await database.db.delete(mails)
    box = await mailbox()
  })
  afterEach(() => box.stop())

  const write = (to: string, mail = secret) => writeMail(database.db, { to, ...mail })
  const rows = () => database.db.select().from(mails).orderBy(mails.id)
  const row = async () => {
    const [only] = await rows()
    if (!only) throw new Error('there is no mail')
    return only
  }
  const allAreDue = () => database.db.update(mails).set({ nextTryAt: sql`now()` })
  const open = (query = '') =>
    createMailer(database.db, { smtpUrl: box.url + query, mailFrom: 'wrk <post@wrk.example.com>', dataDir: '/dev/null' })
  /** Sends one mail that is due. */
  const look = async (query?: string) => {
    const post = open(query)
    post.sendSoon()
    await post.stop(10_000)
  }

  test('a mail arrives in both forms, known as sent by a machine, and its link leaves the database', async () => {
    await write('ada@example.com')
    await look()
    const mail = await box.next('ada@example.com')
    expect(mail).toMatchObject({ subject: 'Your link', link: LINK })
    expect(mail.html.trim()).toBe(secret.html)
    expect(mail.headers).toMatchObject({
      from: 'wrk <post@wrk.example.com>',
      to: 'ada@example.com',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<\w+\.\d+@wrk\.example\.com>$/),
    })
    expect(await row()).toMatchObject({ state: 'sent', tries: 1, text: '', html: '', lastError: null })
    await allAreDue()
    await look()
    expect(box.received).toHaveLength(1)
  })

  test('while the mail server is down a mail waits for its next try, and goes when the server is back', async () => {
    await box.stop()
    await write('ada@example.com')
    await look()
    expect(await row()).toMatchObject({ state: 'waiting', tries: 1, ...inDatabase(secret) })
    expect((await row()).lastError).toContain('ECONNREFUSED')
    await look()
    expect((await row()).tries).toBe(1)
    box = await mailbox(box.port)
    await look()
    expect(box.received).toEqual([])
    await allAreDue()
    await look()
    await box.next('ada@example.com')
    expect(await row()).toMatchObject({ state: 'sent', tries: 2 })
  })

  const manners: [Manner, string][] = [
    ['refuses', 'No such mailbox'],
    ['is busy', 'Try again later'],
    ['hangs', 'Greeting never received'],
    ['hangs in the middle', 'Timeout'],
    ['dies in the middle', 'Connection closed'],
  ]
  test.each(manners)(
    'a mail server that %s costs one try, the reason is kept, and the next try sends the mail',
    async (manner, reason) => {
      await write('ada@example.com')
      box.behave(manner)
      await look('?greetingTimeout=500&socketTimeout=800')
      expect(await row()).toMatchObject({ state: 'waiting', tries: 1, ...inDatabase(secret) })
      expect((await row()).lastError).toContain(reason)
      box.behave('accepts')
      await allAreDue()
      await look()
      expect((await box.next('ada@example.com')).link).toBe(LINK)
      expect(await row()).toMatchObject({ state: 'sent', tries: 2 })
    },
  )

  test('five tries fill about an hour; then the mail is given up, and not tried again by itself', async () => {
    box.behave('is busy')
    await write('ada@example.com')
    const waits: number[] = []
    for (let tries = 1; tries <= 5; tries++) {
      await look()
      const mail = await row()
      expect(mail).toMatchObject({ tries, state: tries < 5 ? 'waiting' : 'failed' })
      waits.push(Math.round((mail.nextTryAt.getTime() - Date.now()) / MINUTE))
      await allAreDue()
    }
    expect(waits.slice(0, 4)).toEqual([1, 4, 15, 40])
    expect(await row()).toMatchObject({ ...inDatabase(secret), lastError: expect.stringContaining('Try again later') })
    box.behave('accepts')
    await look()
    expect(box.tries).toBe(5)
  })

  test('a mail that comes twice, since its sender died before it could say so, has the same id both times', async () => {
    await write('ada@example.com')
    await look()
    await database.db.update(mails).set({ state: 'waiting', nextTryAt: sql`now()`, ...secret })
    await look()
    const [first, second] = [await box.next('ada@example.com'), await box.next('ada@example.com')]
    expect(second.headers['message-id']).toBe(first.headers['message-id'])
    expect(second.headers.date).toBe(first.headers.date)
  })

  test('one that hangs does not hold up the others', async () => {
    const post = open()
    box.behave('hangs')
    await write('slow@example.com')
    post.sendSoon()
    await box.tried(1)
    box.behave('accepts')
    await write('ada@example.com')
    post.sendSoon()
    await box.next('ada@example.com')
    await post.stop(0)
  })

  test('what is written while every sender is busy goes when one is free', async () => {
    const post = open()
    box.behave('hangs')
    for (const name of ['a', 'b', 'c', 'd']) await write(`${name}@example.com`)
    post.sendSoon()
    await box.tried(4)
    box.behave('accepts')
    await write('ada@example.com')
    post.sendSoon()
    box.dropAll()
    await box.next('ada@example.com')
    await post.stop(10_000)
    expect(box.received).toHaveLength(1)
  })

  test('several posts that wake at once share the mails, and send each of them once', async () => {
    const to = Array.from({ length: 60 }, (_, index) => `person${index}@example.com`)
    for (const address of to) await write(address)
    const posts = [open(), open(), open()]
    for (let wakes = 0; wakes < 10; wakes++) for (const post of posts) post.sendSoon()
    await Promise.all(to.map((address) => box.next(address)))
    await Promise.all(posts.map((post) => post.stop(10_000)))
    expect(box.received).toHaveLength(to.length)
    expect(new Set((await rows()).map(({ state, tries }) => `${state} ${tries}`))).toEqual(new Set(['sent 1']))
  })

  test('a post that is stopped lets go of a server that hangs; the mail waits, and waking does nothing any more', async () => {
    const post = open()
    box.behave('hangs')
    await write('ada@example.com')
    post.sendSoon()
    await box.tried(1)
    await post.stop(0)
    expect(await row()).toMatchObject({ state: 'waiting', tries: 1, ...inDatabase(secret) })
    box.behave('accepts')
    await allAreDue()
    post.sendSoon()
    await post.stop(0)
    expect(box.tries).toBe(1)
    await look()
    await box.next('ada@example.com')
  })

  test('while the database fails waking does not throw, and what is written goes when it is back', async () => {
    const post = open()
    await write('ada@example.com')
    await database.db.execute(sql`alter table mails rename to mails_away`)
    expect(() => post.sendSoon()).not.toThrow()
    await post.stop(0)
    await database.db.execute(sql`alter table mails_away rename to mails`)
    await look()
    await box.next('ada@example.com')
  })

  test('a subject cannot begin another header', async () => {
    await write('ada@example.com', { ...secret, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nand a body\u2028more' })
    await look()
    const mail = await box.next('ada@example.com')
    expect(mail.subject).toBe('Hello Bcc: eve@example.com and a body more')
    expect(Object.keys(mail.headers)).not.toContain('bcc')
    expect(mail.text.trimEnd()).toBe(secret.text)
    expect(box.received).toHaveLength(1)
  })

  const odd = [
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com;eve@example.com',
    'Ada <eve@example.com>',
    'eve@example.com>\r\nRCPT TO:<bob@example.com',
    '"ada@example.com eve"@example.com',
    'friends: eve@example.com;',
    'ada@example.com@example.org',
    'ada',
    '',
  ]
  test.each(odd)('nothing is sent to %j, which is no address', async (address) => {
    await write(address)
    await look()
    expect(box.tries).toBe(0)
    expect((await row()).lastError).toBe('this is not a valid email address')
  })

  test('a mail that is dropped asks the mail server like any other, goes to nobody, and leaves no link', async () => {
    await writeMail(database.db, { to: 'stranger@example.com', ...secret }, 'drop')
    expect(JSON.stringify(await row())).not.toContain('stranger')
    await look()
    await box.tried(1)
    expect(box.received).toEqual([])
    expect(await row()).toMatchObject({ state: 'sent', tries: 1, text: '', html: '' })
    await writeMail(database.db, { to: 'stranger@example.com', ...secret }, 'drop')
    box.behave('hangs')
    await look('?greetingTimeout=100')
    expect((await rows()).at(-1)).toMatchObject({ state: 'waiting', tries: 1, lastError: expect.any(String) })
  })

  test('addresses beyond ASCII, and every text, arrive as they are', async () => {
    const text = `Zoë schrieb: „日本語“ 🌻\n.\n..\nFrom here\n${'long '.repeat(400)}`
    await write("ada.o'neil+wrk@example.com", { subject: 'Zoë: 日本語 🌻', text, html: `<p>日本語 ${'x'.repeat(3000)}</p>` })
    await look()
    const mail = await box.next("ada.o'neil+wrk@example.com")
    expect(mail.subject).toBe('Zoë: 日本語 🌻')
    expect(mail.text).toBe(`${text}\n`)
    expect(mail.html).toContain(`<p>日本語 ${'x'.repeat(3000)}</p>`)
  })

  test('cleaning gives up mails that died in their last try, empties those that failed a day ago, and forgets what ended two weeks ago', async () => {
    const long = sql`now() - interval '15 days'`
    const values = (recipient: string) => ({ recipient, ...inDatabase(secret) })
    await database.db.insert(mails).values([
      { ...values('old-sent@example.com'), state: 'sent', createdAt: long },
      { ...values('older-failed@example.com'), state: 'failed', createdAt: long },
      { ...values('old-failed@example.com'), state: 'failed', createdAt: sql`now() - interval '2 days'` },
      { ...values('old-waiting@example.com'), createdAt: long },
      { ...values('new-sent@example.com'), state: 'sent' },
      { ...values('died@example.com'), tries: 5, nextTryAt: sql`now() - interval '1 second'` },
      { ...values('trying@example.com'), tries: 5, nextTryAt: sql`now() + interval '1 minute'` },
    ])
    await cleanMails(database.db)
    expect(
      (await rows()).map(({ recipient, state, text }) => `${recipient} ${state} ${text ? 'whole' : 'empty'}`).toSorted(),
    ).toEqual([
      'died@example.com failed whole',
      'new-sent@example.com sent whole',
      'old-failed@example.com failed empty',
      'old-waiting@example.com waiting whole',
      'trying@example.com waiting whole',
    ])
  })
})

const inDatabase = ({ subject, text, html }: typeof secret) => ({ subject, text, html })

/** As onEachDatabase, without a server, whose own post would take the mails. */
function onEachBareDatabase(name: string, define: (given: { db: Db }) => void): void {
  const given = (open: () => Promise<Database>) => () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())
    define({
      get db() {
        return database.db
      },
    })
  }
  describe(`${name} (embedded)`, given(openInMemory))
  if (process.env.TEST_DATABASE_URL) describe(`${name} (Postgres)`, given(openScratch))
}

async function openScratch(): Promise<Database> {
  const scratch = await scratchDatabase()
  const { db, close } = await openDatabase({ databaseUrl: scratch.url, dataDir: '/dev/null' })
  return { db, close: () => close().then(scratch.drop) }
}
