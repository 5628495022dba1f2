import type { Db } from '../../db/database'
import { messageOf } from '../../db/failures'
import { log } from '../../log'
import { unlessUnavailable } from '../errors'
import { type ClaimedMail, claimMail, MAX_TRIES, markFailed, markSent, TRY_TIMEOUT_MS } from './store'
import { createTransport, type MailConfig } from './transport'

export type Mailer = {
  sendSoon(): void
  /** Waits up to `atMost` milliseconds for emails being sent. */
  stop(atMost: number): Promise<void>
}

const MAX_SENDERS = 4

const POLL_EVERY_MS = 15_000

const RECORD_WITHIN_MS = 500

/** Claims a mail, sends it outside of any transaction and records the outcome. Processes on one database share the work. */
export function createMailer(db: Db, config: MailConfig, mayMail = () => true): Mailer {
  const transport = createTransport(config)
  const senders = new Set<Promise<void>>()
  const abort = new AbortController()
  let stopping = false
  let runAgain = false

  function sendSoon() {
    if (stopping) return
    if (senders.size >= MAX_SENDERS) runAgain = true
    else start()
  }

  function start() {
    const sender = sendDue()
      .catch(unlessUnavailable((error) => log.warn(`emails are waiting: ${messageOf(error)}`)))
      .finally(() => {
        senders.delete(sender)
        if (!runAgain) return
        runAgain = false
        sendSoon()
      })
    senders.add(sender)
  }

  async function sendDue() {
    while (!stopping && mayMail()) {
      const mail = await claimMail(db)
      if (!mail) return
      sendSoon()
      await send(mail)
    }
  }

  async function send(mail: ClaimedMail) {
    try {
      await transport(mail, AbortSignal.any([abort.signal, AbortSignal.timeout(TRY_TIMEOUT_MS)]))
    } catch (error) {
      const reason = messageOf(error)
      log.warn(`email ${mail.id} was not sent, try ${mail.tries} of ${MAX_TRIES}: ${JSON.stringify(reason)}`)
      return markFailed(db, mail, reason)
    }
    await markSent(db, mail)
  }

  const polling = setInterval(sendSoon, POLL_EVERY_MS)
  polling.unref()

  return {
    sendSoon,
    async stop(atMost) {
      stopping = true
      clearInterval(polling)
      const deadline = setTimeout(() => abort.abort(new Error('the server was stopped')), atMost)
      // Abandons what ignores the signal, such as a hanging database.
      const left = new Promise((resolve) => setTimeout(resolve, atMost + RECORD_WITHIN_MS).unref())
      await Promise.race([Promise.all(senders), left])
      clearTimeout(deadline)
    },
  }
}
