import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../../config'
import { messageOf } from '../../db/failures'
import { lazy } from '../../lazy'
import { log } from '../../log'
import { type ClaimedMail, isDropped, TRY_TIMEOUT_MS } from './store'
import { renderMail } from './template'

type Message = Pick<ClaimedMail, 'id' | 'recipient' | 'subject' | 'text' | 'html' | 'createdAt' | 'unsubscribe'>
type Transport = (mail: Message, signal: AbortSignal) => Promise<string>
export type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'> & { production?: boolean }

/** To the mail server; without one, to the log and a file under DATA_DIR/mail. */
export const createTransport = (config: MailConfig): Transport =>
  config.smtpUrl ? toServer(config, config.smtpUrl) : toDisk(config)

const TIMEOUTS_MS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 30_000 }

export const mailServer = async (url: string) => (await import('nodemailer')).createTransport({ url, ...TIMEOUTS_MS })

function toServer({ mailFrom }: MailConfig, url: string): Transport {
  const transport = lazy(() => mailServer(url))
  return async (mail, signal) => {
    const server = await transport()
    if (isDropped(mail)) return rehearse(mail, signal, server)
    const { response } = await server.sendMail({ ...message(mail, mailFrom), signal })
    return response
  }

  /** Goes as far as a real mail, so that timing reveals nothing. */
  async function rehearse(mail: Message, signal: AbortSignal, server: Awaited<ReturnType<typeof transport>>) {
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([server.verify(), stopped])
    await (await messageBuilder()).sendMail(message(toNobody(mail), mailFrom))
    return ''
  }
}

const toNobody = (mail: Message): Message => ({ ...mail, recipient: 'nobody@localhost' })

const messageBuilder = lazy(async () =>
  (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
)

function toDisk({ mailFrom, dataDir, production }: MailConfig): Transport {
  const folder = mailFolder(dataDir)
  return async (mail) => {
    if (isDropped(mail)) return ''
    const { message: content } = await (await messageBuilder()).sendMail(message(mail, mailFrom))
    const file = join(folder, `${mail.createdAt.toISOString().replaceAll(/[:.]/g, '-')}-${mail.id}.eml`)
    // Mails hold links that sign in: other users of the machine must not read them.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    await writeFile(`${file}.part`, content, { mode: 0o600 })
    await rename(`${file}.part`, file)
    // Logs are read by more people than the folder.
    if (production) log.info(`email ${mail.id} is in ${file}`)
    else log.info(oneLine(`email to ${mail.recipient}: ${mail.subject} ${buttonLink(mail)} (${file})`))
    return file
  }
}

// No character that could end a header or add a recipient.
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u

function message({ id, recipient, subject, text, html, createdAt, unsubscribe }: Message, from: string): SendMailOptions {
  if (!ADDRESS.test(recipient)) throw new Error('this is not a valid email address')
  return {
    from,
    to: { name: '', address: recipient },
    subject: oneLine(subject),
    text,
    html,
    // The same in every try, so that duplicates are recognized.
    messageId: `<${createdAt.getTime().toString(36)}.${id}@${domainOf(from)}>`,
    date: createdAt,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const domainOf = (from: string) => /@([^\s@<>]+)>?$/.exec(from)?.[1] ?? 'localhost'
/** The button's link comes last, after links that people wrote. */
const buttonLink = ({ text }: Message) => text.match(/^https?:\/\/\S+$/gm)?.at(-1) ?? ''
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const mailFolder = (dataDir: string) => join(dataDir, 'mail')

const KEPT_MS = 24 * 3_600_000

/** Mail files hold links that sign in, so they are deleted after a day. */
export async function sweepMailFiles(dataDir: string): Promise<void> {
  const folder = mailFolder(dataDir)
  const names = await readdir(folder).catch(() => [])
  for (const path of names.filter((name) => /\.eml(\.part)?$/.test(name)).map((name) => join(folder, name))) {
    const written = await stat(path).catch(() => null)
    if (written && written.mtimeMs < Date.now() - KEPT_MS) await rm(path, { force: true })
  }
}

const TEST = {
  subject: 'Test email from wrk',
  paragraphs: ['This is a test email from your wrk server. It arrived; there is nothing to do.'],
}

const testMail = (to: string): Message => ({
  ...renderMail(TEST),
  id: 0,
  recipient: to,
  unsubscribe: null,
  createdAt: new Date(),
})

/** Sends at once and stores nothing; resolves to the mail server's answer, even a refusal. */
export async function sendTestMail(config: MailConfig, to: string): Promise<{ sent: boolean; answer: string }> {
  try {
    const answer = await createTransport(config)(testMail(to), AbortSignal.timeout(TRY_TIMEOUT_MS))
    return config.smtpUrl
      ? { sent: true, answer }
      : { sent: false, answer: `SMTP_URL is not set, so the email was written to a file instead: ${answer}` }
  } catch (error) {
    return { sent: false, answer: messageOf(error) }
  }
}
