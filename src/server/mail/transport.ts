import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../../config'
import { once } from '../../schema'
import { type Due, isDropped } from './store'

/** Hands a mail over, or throws. */
export type Transport = (mail: Due, signal: AbortSignal) => Promise<void>
type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>

/** To the mail server; without one, a line in the log and a file under DATA_DIR/mail (contract.md, section 6). */
export const createTransport = (config: MailConfig): Transport =>
  config.smtpUrl ? toServer(config, config.smtpUrl) : toDisk(config)

/** In milliseconds: a server that says nothing costs a try, not more. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 30_000 }

function toServer({ mailFrom }: MailConfig, url: string): Transport {
  // With the first mail: a start should not wait for it, nor a site that sends none hold it.
  const transport = once(async () => (await import('nodemailer')).createTransport({ url, ...TIMEOUTS }))
  return async (mail, signal) => {
    const server = await transport()
    if (isDropped(mail)) return rehearse(mail, signal, server)
    await server.sendMail({ ...message(mail, mailFrom), signal })
  }

  /** All but the sending: who asks for a mail to a stranger must not see by the next answer that none goes. */
  async function rehearse(mail: Due, signal: AbortSignal, server: Awaited<ReturnType<typeof transport>>) {
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([server.verify(), stopped])
    await (await builder()).sendMail(message(toItself(mail), mailFrom))
  }
}

const toItself = (mail: Due): Due => ({ ...mail, recipient: 'nobody@localhost' })

/** Makes a message without sending it. */
const builder = once(async () =>
  (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
)

function toDisk({ mailFrom, dataDir }: MailConfig): Transport {
  const folder = join(dataDir, 'mail')
  return async (mail) => {
    if (isDropped(mail)) return
    const { message: content } = await (await builder()).sendMail(message(mail, mailFrom))
    const file = join(folder, `${mail.createdAt.toISOString().replaceAll(/[:.]/g, '-')}-${mail.id}.eml`)
    // Links that sign in are nobody else's business, on a machine that others use too.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    await writeFile(`${file}.part`, content, { mode: 0o600 })
    await rename(`${file}.part`, file)
    console.log(oneLine(`mail to ${mail.recipient}: ${mail.subject} ${linkOf(mail)} (${file})`))
  }
}

// Nothing that could end a header, or name a second receiver.
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u

function message({ id, recipient, subject, text, html, createdAt, unsubscribe }: Due, from: string): SendMailOptions {
  if (!ADDRESS.test(recipient)) throw new Error('this is no address that mail can go to')
  return {
    from,
    to: { name: '', address: recipient },
    subject: oneLine(subject),
    text,
    html,
    // The same in every try: a mail that came twice is known for one.
    messageId: `<${createdAt.getTime().toString(36)}.${id}@${domainOf(from)}>`,
    date: createdAt,
    headers: {
      'Auto-Submitted': 'auto-generated',
      // RFC 8058: mail programs show a button for it.
      ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const domainOf = (from: string) => /@([^\s@<>]+)>?$/.exec(from)?.[1] ?? 'localhost'
/** The link of the letter's button: what somebody wrote, which may hold links too, comes before it. */
const linkOf = ({ text }: Due) => text.match(/^https?:\/\/\S+$/gm)?.at(-1) ?? ''
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
