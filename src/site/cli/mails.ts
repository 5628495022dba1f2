import { countText } from '../../format'
import type { FailedMail } from '../../operator/schema'
import { byCommand, listFailedMails, retryFailed } from '../../operator/server/changes'
import { grantCommandReading } from '../../operator/server/grants'
import { sendTestMail } from '../../server/mail/transport'
import { CommandFailed, type Module, WrongUsage } from './command'
import { columns, everyPart, numberIn, printable, yes } from './output'
import { addressIn } from './users'

export const test: Module<{ address: string }, { answer: string }> = {
  async run(context, { address }) {
    const { sent, answer } = await sendTestMail(context.config, addressIn(address))
    if (!sent) throw new CommandFailed(`the email was not sent: ${answer}`)
    return { answer }
  },
  show: ({ answer }) => `the email was sent: ${answer}`,
}

const shown = ({ id, to, createdAt, error, mayRetry }: FailedMail) => ({
  id: String(id),
  to,
  created: createdAt.slice(0, 16).replace('T', ' '),
  'can resend': yes(mayRetry),
  error: printable(error ?? ''),
})

export const failed: Module<object, FailedMail[]> = {
  run: ({ database: { db } }) =>
    everyPart((cursor) => listFailedMails(db, grantCommandReading(), { search: '', ...(cursor && { cursor }) })),
  show: (mails) => columns(mails.map(shown)),
}

export const retry: Module<{ mail?: string; all?: boolean }, { mails: number }> = {
  async run(context, { mail, all }) {
    if ((mail === undefined) !== (all === true)) throw new WrongUsage('give the id of an email, or --all')
    const mailId = mail === undefined ? undefined : numberIn(mail)
    return byCommand(await context.services(), async (ctx) => ({ mails: await retryFailed(ctx, mailId) }))
  },
  show: ({ mails }) => `${countText(mails, 'email')} will be resent`,
}
