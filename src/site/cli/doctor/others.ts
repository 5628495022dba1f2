import { type Config, isLoopback } from '../../../config'
import { openFiles } from '../../../server/files/storage'
import { mailServer, sendTestMail } from '../../../server/mail/transport'
import { redis } from '../../../server/rateCounters'
import { Ailment, NOT_USED } from './finding'

/** Signs in at the mail server; sends a mail where somebody is named. */
export async function mail(config: Config, to: string | undefined) {
  const { smtpUrl, production, publicUrl } = config
  const isOwnMachine = !production && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
  if (!smtpUrl && to === undefined && isOwnMachine) return NOT_USED
  if (!smtpUrl) throw new Ailment('no mail server is set up, so no email leaves this machine', 'set SMTP_URL and MAIL_FROM')
  const { host } = new URL(smtpUrl)
  if (to !== undefined) {
    const { sent, answer } = await sendTestMail(config, to)
    if (!sent) throw new Error(answer)
    return `${host} accepted an email to ${to}`
  }
  await (await mailServer(smtpUrl)).verify()
  return `${host} accepts email; --mail ADDRESS sends a test`
}

/** Writes, reads and deletes a small file, as an upload is. */
export async function storage(config: Config): Promise<string> {
  const files = openFiles(config)
  const name = `doctor-${crypto.randomUUID()}`
  await files.put(name, Buffer.from(name), 'text/plain')
  const read = await files.get(name)
  const isSame = (await read?.text()) === name
  await files.delete(name)
  if (!isSame) throw new Ailment('a file that was written could not be read back', 'check what else uses that location')
  return config.s3 ? `the bucket ${config.s3.bucket} stores files` : `${config.dataDir}/uploads stores files`
}

export async function counters({ redisUrl }: Config) {
  if (!redisUrl) return NOT_USED
  const client = redis(redisUrl)
  try {
    await client.connect()
    await client.send('EVAL', ['return 1', '0'])
    return `${new URL(redisUrl).host} is reachable`
  } finally {
    client.close()
  }
}
