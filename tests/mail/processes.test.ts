import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { mails } from '../../src/db/tables'
import { writeMail } from '../../src/server/mail/store'
import { type Mailbox, mailbox } from '../support/mail'
import { type Place, placeOn, QUICKER } from '../support/places'
import { startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

/** Less than a mail has tries: the first ones may be hit each time. */
const ROUNDS = process.env.CI ? 4 : 2
const MAILS = 40
/** As many as one process sends at once. */
const AT_ONCE = 4

describe(`mail of real processes (${QUICKER})`, () => {
  let place: Place
  let box: Mailbox
  beforeEach(async () => {
    place = await placeOn(QUICKER)
    box = await mailbox()
  })
  afterEach(async () => {
    await box.stop()
    await place.remove()
  })

  const start = async () => (await startServer({ ...place.env, SMTP_URL: box.url, MAIL_FROM: 'post@wrk.example.com' })).child
  const end = async (child: Awaited<ReturnType<typeof start>>, signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    return child.exited
  }
  const write = (...to: string[]) =>
    place.within(async (db) => {
      for (const address of to) await writeMail(db, { to: address, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
    })
  const allAreDue = () => place.within((db) => db.update(mails).set({ nextTryAt: sql`now()` }))
  const states = () => place.within((db) => db.select({ state: mails.state, tries: mails.tries }).from(mails).orderBy(mails.id))

  test('what a killed process left goes at the next start, by itself', async () => {
    await write('ada@example.com')
    const child = await start()
    await box.next('ada@example.com')
    expect(await end(child, 'SIGTERM')).toBe(0)
    expect(await states()).toEqual([{ state: 'sent', tries: 1 }])
  })

  test('a process killed amid a mail leaves it to its next try, neither lost nor sent at once again', async () => {
    box.behave('hangs in the middle')
    await write('ada@example.com')
    const killed = await start()
    await box.tried(1)
    await end(killed, 'SIGKILL')
    box.behave('accepts')
    await write('bob@example.com')
    const early = await start()
    await box.next('bob@example.com')
    await end(early, 'SIGTERM')
    expect(box.received).toHaveLength(1)
    await allAreDue()
    const due = await start()
    await box.next('ada@example.com')
    await end(due, 'SIGTERM')
    expect(box.received).toHaveLength(2)
    expect(await states()).toEqual([
      { state: 'sent', tries: 2 },
      { state: 'sent', tries: 1 },
    ])
  })

  test('killed again and again amid many mails, every mail arrives, and twice only what was being sent', async () => {
    const to = Array.from({ length: MAILS }, (_, index) => `person${index}@example.com`)
    await write(...to)
    for (let round = 1; round <= ROUNDS; round++) {
      const child = await start()
      await box.arrived((round * MAILS) / (ROUNDS + 2))
      await end(child, 'SIGKILL')
      await allAreDue()
    }
    const last = await start()
    await Promise.all(to.map((address) => box.next(address)))
    await end(last, 'SIGTERM')
    const ids = new Map(to.map((address) => [address, new Set<string | undefined>()]))
    for (const mail of box.received) ids.get(mail.to)?.add(mail.headers['message-id'])
    expect([...ids.values()].map(({ size }) => size)).toEqual(to.map(() => 1))
    expect(box.received.length).toBeLessThanOrEqual(MAILS + ROUNDS * AT_ONCE)
    expect((await states()).filter(({ state, tries }) => state !== 'sent' || tries > ROUNDS + 1)).toEqual([])
  })

  test('SIGTERM finishes the mail that is being sent', async () => {
    await write('ada@example.com')
    const child = await start()
    await box.tried(1)
    expect(await end(child, 'SIGTERM')).toBe(0)
    expect(box.received).toHaveLength(1)
    expect(await states()).toEqual([{ state: 'sent', tries: 1 }])
  })

  test('SIGTERM ends well although the mail server hangs, and the mail waits', async () => {
    box.behave('hangs')
    await write('ada@example.com')
    const child = await start()
    await box.tried(1)
    const from = performance.now()
    expect(await end(child, 'SIGTERM')).toBe(0)
    // The mail itself would wait for half a minute.
    expect(performance.now() - from).toBeLessThan(25_000)
    expect(await states()).toEqual([{ state: 'waiting', tries: 1 }])
  })

  test.skipIf(QUICKER === 'embedded')('two processes on one database send each mail once', async () => {
    const to = Array.from({ length: MAILS }, (_, index) => `person${index}@example.com`)
    await write(...to)
    const children = await Promise.all([start(), start()])
    await Promise.all(to.map((address) => box.next(address)))
    expect(await Promise.all(children.map((child) => end(child, 'SIGTERM')))).toEqual([0, 0])
    expect(box.received).toHaveLength(MAILS)
    expect(new Set((await states()).map(({ state, tries }) => `${state} ${tries}`))).toEqual(new Set(['sent 1']))
  })
})
