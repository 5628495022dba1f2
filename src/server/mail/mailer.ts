import type { Config } from '../../config'
import type { Db } from '../../db/client'
import { reasonOf } from '../errors'
import { claimMail, type Due, markFailed, markSent, TRIES, TRY_AT_MOST } from './store'
import { createTransport } from './transport'

/** Sends the mails that the database holds. */
export type Mailer = {
  /** There may be something new to send; answers at once and never throws. */
  wake(): void
  /** Finishes what is being sent, at most for that many milliseconds; the rest waits for the next start. */
  stop(atMost: number): Promise<void>
}

/** So many mails are being sent at once. */
const AT_ONCE = 4

/** How often it looks by itself for next tries, and for what a killed process left, in milliseconds. */
const LOOKS_EVERY = 15_000

/** How a try that was stopped went is written down within so many milliseconds. */
const WRITES_DOWN_WITHIN = 500

/**
 * Whoever sends takes a mail, sends it outside of any transaction and writes down how it went. Several processes on one
 * database, each with several senders, share the work: a mail is taken by one of them.
 */
export function createMailer(db: Db, config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  const transport = createTransport(config)
  const senders = new Set<Promise<void>>()
  const tooLate = new AbortController()
  let stopping = false
  let lookAgain = false

  function wake() {
    if (stopping) return
    // Whoever finds nothing left may have looked before this mail was there.
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
      // There may be more: another sender looks, while this one is busy.
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
      // What does not hear of it, such as a database that hangs, is left behind.
      const left = new Promise((resolve) => setTimeout(resolve, atMost + WRITES_DOWN_WITHIN).unref())
      await Promise.race([Promise.all(senders), left])
      clearTimeout(patience)
    },
  }
}
