import type { Config } from '../../../config'
import { openFiles } from '../../../server/files/storage'
import { redis } from '../../../server/redis'
import { Ailment, NOT_USED } from './finding'

const SUBJECT = 'wrk can send mail'
const TEXT = 'Whoever runs wrk has asked "wrk doctor" to send this.'
const TIMEOUTS_MS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }

/** Signs in at the mail server; sends a mail where somebody is named. */
export async function mail({ smtpUrl, mailFrom, production }: Config, to: string | undefined) {
  if (!smtpUrl && to === undefined && !production) return NOT_USED
  if (!smtpUrl) throw new Ailment('no mail leaves this machine', 'set SMTP_URL and MAIL_FROM')
  const { createTransport } = await import('nodemailer')
  const server = createTransport({ url: smtpUrl, ...TIMEOUTS_MS })
  if (to === undefined) {
    await server.verify()
    return `${new URL(smtpUrl).host} takes mail; --mail ADDRESS sends one`
  }
  await server.sendMail({ from: mailFrom, to: { name: '', address: to }, subject: SUBJECT, text: TEXT })
  return `${new URL(smtpUrl).host} took a mail to ${to}`
}

/** Writes, reads and deletes a small file, as an upload is. */
export async function storage(config: Config): Promise<string> {
  const files = openFiles(config)
  const name = `doctor-${crypto.randomUUID()}`
  await files.put(name, Buffer.from(name), 'text/plain')
  const read = await files.get(name)
  const isSame = (await read?.text()) === name
  await files.delete(name)
  if (!isSame) throw new Ailment('what was written was not read again', 'look at what else uses that place')
  return config.s3 ? `the bucket ${config.s3.bucket} keeps files` : `${config.dataDir}/uploads keeps files`
}

export async function counters({ redisUrl }: Config) {
  if (!redisUrl) return NOT_USED
  const client = redis(redisUrl)
  try {
    await client.connect()
    await client.send('EVAL', ['return 1', '0'])
    return `${new URL(redisUrl).host} counts`
  } finally {
    client.close()
  }
}
