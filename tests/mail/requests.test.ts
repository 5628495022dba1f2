import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { mails } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { mailbox } from '../support/mail'
import { until } from '../support/until'

let box = await mailbox()
afterAll(() => box.stop())

onEachDatabase(
  'requests that cause mail',
  (server) => {
    const askedFor = async (email: string) => {
      const { nobody } = await server.people()
      return nobody.http('POST', '/api/auth/forgot-password', { email })
    }
    /** The mail's row, once its first try has failed. */
    const failedOnce = () =>
      until('the first try failed', async () => (await server.db.select().from(mails)).find(({ lastError }) => lastError))

    test('are answered while the mail server hangs', async () => {
      box.behave('hangs')
      const before = box.tries
      expect((await askedFor('ada@example.com')).status).toBe(200)
      const [unanswered] = await server.db.select().from(mails)
      expect(unanswered).toMatchObject({ state: 'waiting', lastError: null })
      await box.tried(before + 1)
      expect(await failedOnce()).toMatchObject({ recipient: 'ada@example.com', state: 'waiting', tries: 1 })
      box.behave('accepts')
    })

    test('are answered while the mail server is down, and the mail comes when it is back', async () => {
      await box.stop()
      expect((await askedFor('ada@example.com')).status).toBe(200)
      expect(await failedOnce()).toMatchObject({ recipient: 'ada@example.com', state: 'waiting', tries: 1 })
      box = await mailbox(box.port)
      await server.db.update(mails).set({ nextTryAt: sql`now()` })
      await wakeByAnother()
      expect((await box.next('ada@example.com')).link).toContain('/auth/verify?token=')
      await box.next('bob@example.com')
    })

    const wakeByAnother = () => fetch(`${server.origin}/api/auth/forgot-password`, post({ email: 'bob@example.com' }))
  },
  { SMTP_URL: `${box.url}?greetingTimeout=2000`, MAIL_FROM: 'post@wrk.example.com' },
)

const post = (body: unknown) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
