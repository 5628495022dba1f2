import type { Config } from '../../config'
import type { Db } from '../../db/client'
import { reasonOf } from '../errors'
import { claimMail, type Due, markFailed, markSent, TRIES, TRY_AT_MOST } from './store'
import { createTransport } from './transport'

export type Mailer = {
  /** Returns at once and never throws. */
  wake(): void
  /** Waits at most `atMost` milliseconds for mails being sent; the rest waits for the next start. */
  stop(atMost: number): Promise<void>
}

const AT_ONCE = 4

/** Finds retries, and mails that a killed process left. */
const LOOKS_EVERY = 15_000

const WRITES_DOWN_WITHIN = 500

/** Claims a mail, sends it outside of any transaction and records the outcome. Processes on one database share the work. */
export function createMailer(db: Db, config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  const transport = createTransport(config)
  const senders = new Set<Promise<void>>()
  const tooLate = new AbortController()
  let stopping = false
  let lookAgain = false

  function wake() {
    if (stopping) return
    // A sender about to stop may have looked before this mail was there.
    if (senders.size >= AT_ONCE) lookAgain = true
    else start()
  }

  function start() {
    const sender = sendWhatIsDue()
      .catch((error: unknown) => console.warn(`mails wait: ${reasonOf(error)}`))
      .finally(() => {
        senders.delete(sender)
        if (!lookAgain) return
        lookAgain = false
        wake()
      })
    senders.add(sender)
  }

  async function sendWhatIsDue() {
    while (!stopping) {
      const mail = await claimMail(db)
      if (!mail) return
      wake()
      await send(mail)
    }
  }

  async function send(mail: Due) {
    try {
      await transport(mail, AbortSignal.any([tooLate.signal, AbortSignal.timeout(TRY_AT_MOST)]))
    } catch (error) {
      const reason = reasonOf(error)
      console.warn(`mail ${mail.id} was not sent, try ${mail.tries} of ${TRIES}: ${JSON.stringify(reason)}`)
      return markFailed(db, mail, reason)
    }
    await markSent(db, mail)
  }

  const looking = setInterval(wake, LOOKS_EVERY)
  looking.unref()

  return {
    wake,
    async stop(atMost) {
      stopping = true
      clearInterval(looking)
      const patience = setTimeout(() => tooLate.abort(new Error('the server was stopped')), atMost)
      // Whatever ignores the signal, such as a hanging database, is abandoned.
      const left = new Promise((resolve) => setTimeout(resolve, atMost + WRITES_DOWN_WITHIN).unref())
      await Promise.race([Promise.all(senders), left])
      clearTimeout(patience)
    },
  }
}
