import type { Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { happenings } from './until'

/** How a mail server answers: as it should; "no" for ever or for now; nothing, from the start or amid the mail; or it dies. */
export type Manner = 'accepts' | 'refuses' | 'is busy' | 'hangs' | 'hangs in the middle' | 'dies in the middle'

const REPLIES = { refuses: [550, 'No such mailbox'], 'is busy': [451, 'Try again later'] } as const

/** A mail as it arrived: `link` is the first address in its text, `raw` the message to the letter. */
export type Received = Awaited<ReturnType<typeof read>>
export type Mailbox = Awaited<ReturnType<typeof mailbox>>

/**
 * A real SMTP server in the test's process, which takes mail for every address. Started with top-level await, its
 * `url` and a MAIL_FROM can be given to `onEachDatabase` as the environment.
 */
export async function mailbox(port = 0) {
  const received: Received[] = []
  const unread: Received[] = []
  const sockets = new Set<Socket>()
  let manner: Manner = 'accepts'
  let tries = 0
  const { happen, until } = happenings()
  const dropAll = () => sockets.forEach((socket) => void socket.destroy())

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    // What it says is tested, and so is that nothing comes that should not.
    logger: false,
    onConnect(_session, answer) {
      tries++
      happen()
      if (manner !== 'hangs') answer()
    },
    onRcptTo(_address, _session, answer) {
      if (manner !== 'refuses' && manner !== 'is busy') return answer()
      const [responseCode, text] = REPLIES[manner]
      answer(Object.assign(new Error(text), { responseCode }))
    },
    async onData(stream, { envelope }, answer) {
      if (manner === 'dies in the middle') return dropAll()
      if (manner === 'hangs in the middle') return
      // Whoever is killed on the way leaves half a mail, which is none.
      const mail = await read(envelope.rcptTo[0]?.address ?? '', stream).catch(() => undefined)
      if (!mail) return
      received.push(mail)
      unread.push(mail)
      answer()
      happen()
    },
  })
  // Clients that are killed in the middle, and our own dropping of them, are what some tests are about.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()
  if (typeof address !== 'object' || !address) throw new Error('the mail server has no port')

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    /** Everything that came, read or not. */
    received,
    /** Waits for the next unread mail to an address, one that is so; others stay unread. */
    next(to: string, isSought: (mail: Received) => boolean = () => true): Promise<Received> {
      return until(
        () => {
          const index = unread.findIndex((mail) => mail.to === to && isSought(mail))
          return index >= 0 ? unread.splice(index, 1)[0] : undefined
        },
        () => `no mail to ${to} came; unread are ${JSON.stringify(unread.map((mail) => [mail.to, mail.subject]))}`,
      )
    },
    behave(next: Manner) {
      manner = next
    },
    /** How often someone connected. */
    get tries() {
      return tries
    },
    /** Waits until someone has connected that often. */
    tried: (times: number) =>
      until(
        () => tries >= times,
        () => `${tries} tries, not ${times}`,
      ),
    /** Waits until so many mails have come. */
    arrived: (count: number) =>
      until(
        () => received.length >= count,
        () => `${received.length} mails came, not ${count}`,
      ),
    /** Ends all connections. */
    dropAll,
    /** Ends it at once, whoever is connected. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      dropAll()
      await closed
    },
  }
}

async function read(to: string, stream: SMTPServerDataStream) {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const raw = Buffer.concat(chunks).toString()
  return { to, raw, ...(await readMail(raw)) }
}

/** Any mail but the one that each registration brings. */
export const isNoConfirmation = ({ subject }: Pick<Received, 'subject'>) => subject !== 'Confirm your email for wrk'

/** Subject, both forms, and the link of a message. */
export async function readMail(raw: string) {
  const mail = await PostalMime.parse(raw)
  const text = mail.text ?? ''
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
  return { subject: mail.subject ?? '', text, html: mail.html ?? '', link: /https?:\/\/\S+/.exec(text)?.[0], headers }
}
