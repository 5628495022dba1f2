import { reasonOf } from '../errors'
import { type ClaimedMail, TRY_TIMEOUT_MS } from './store'
import { renderMail } from './template'
import { createTransport, type MailConfig } from './transport'

const TEST = {
  subject: 'A test of wrk',
  paragraphs: ['Whoever runs this server tries whether its mails arrive. This one did; nothing is left to do.'],
}

const testMail = (to: string): ClaimedMail => ({
  ...renderMail(TEST),
  id: 0,
  recipient: to,
  unsubscribe: null,
  state: 'waiting',
  tries: 1,
  nextTryAt: new Date(),
  lastError: null,
  createdAt: new Date(),
  sentAt: null,
  causedBy: null,
})

/** Sends one at once, of which nothing is kept; resolves to what the mail server said, also where it refused. */
export async function sendTestMail(config: MailConfig, to: string): Promise<{ sent: boolean; answer: string }> {
  try {
    const answer = await createTransport(config)(testMail(to), AbortSignal.timeout(TRY_TIMEOUT_MS))
    return config.smtpUrl ? { sent: true, answer } : { sent: false, answer: `SMTP_URL is not set, so it is a file: ${answer}` }
  } catch (error) {
    return { sent: false, answer: reasonOf(error) }
  }
}
