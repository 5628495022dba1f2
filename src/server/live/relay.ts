import type { Database, Db } from '../../db/database'
import { DatabaseUnavailable } from '../../db/failures'
import { type Answer, askFor, type Listener, openListener, type Question, sayAtCommit } from '../../db/listener'
import { log } from '../../log'
import { withTimeout } from '../../promises'
import type { Presence, ServerMessage } from '../../protocol'
import type { SessionUser } from '../signedIn'

export type Envelope =
  /** `alsoTo` hear it even without subscribing to the topics. */
  | { do: 'publish'; topics: string[]; message: ServerMessage; alsoTo?: number[] }
  | { do: 'updateUser'; user: SessionUser }
  /** `version` is the board's after the membership ended: later joins stay. */
  | { do: 'leaveBoard'; userId: number; boardId: number; version: number }
  | { do: 'closeSession'; sessionKey: string }
  | { do: 'presence'; process: string; boardId: number; people: Presence[] }

type Receiver = {
  hear(read: () => Envelope[], ownId: number | undefined): void
  /** Reads what was missed; nothing is delivered until then. */
  catchUp(isAgain: boolean): Promise<void>
}

/** Carries envelopes between the processes of one database. */
export interface Relay {
  /** Whether the process hears what it writes. */
  echoes: boolean
  /** In the transaction: the others hear of it only if it commits. */
  write(db: Db, id: number, envelopes: Envelope[]): Promise<void>
  say(envelopes: Envelope[]): void
  /** Everything stored before the answer is heard before it, unless the connection is silent. */
  ask(question: Question): Promise<Answer>
  receive(receiver: Receiver): Promise<void>
  close(): void
}

export const openRelay = ({ db, url }: Database): Relay => (url ? overPostgres(url) : alone(db))

function alone(db: Db): Relay {
  return {
    echoes: false,
    async write() {},
    say() {},
    ask: (question) => askFor(db, question),
    async receive() {},
    close() {},
  }
}

const CHANNEL = 'wrk_live_1'
const ANSWER_MS = 1_200
const OPEN_AGAIN_MS = 500
const noAnswer = () => new DatabaseUnavailable(`no answer within ${ANSWER_MS} ms`)
/** In place of a change: the echo of a question, or what was said outside of a transaction. */
const ECHO = 0
const SAID = 1
export const FIRST_CHANGE = 2

function overPostgres(url: string): Relay {
  const self = crypto.randomUUID()
  let receiver: Receiver | undefined
  let listener: Listener | undefined
  let waiting: (() => void)[] | undefined
  let isClosed = false
  let opened = 0
  let questions = 0
  let unheard = 0
  const awaited = new Map<string, () => void>()

  const gather = createPartJoiner(({ from, id }, text) => {
    const isOwn = from === self
    if (isOwn && id === ECHO) awaited.get(text)?.()
    if (id === ECHO || (isOwn && id === SAID)) return
    // Only our own processes write to this channel.
    const hear = () => receiver?.hear(() => JSON.parse(text) as Envelope[], isOwn ? id : undefined)
    if (waiting) waiting.push(hear)
    else hear()
  })

  /** Removed members must be cut off before anything is delivered. */
  async function catchUp() {
    const held: (() => void)[] = []
    waiting = held
    const isAgain = ++opened > 1
    const isSafe = await receiver?.catchUp(isAgain).then(
      () => true,
      () => false,
    )
    if (!isSafe || waiting !== held) return
    waiting = undefined
    for (const hear of held) hear()
  }

  async function open() {
    if (isClosed) return
    const opening = openListener(url, CHANNEL, { heard: gather, opened: () => void catchUp() })
    listener = opening
    await opening.listening.catch(async () => {
      await Bun.sleep(OPEN_AGAIN_MS)
      await openAgain(opening)
    })
  }

  async function openAgain(silent: Listener | undefined) {
    if (listener !== silent) return
    listener = undefined
    void silent?.close()
    await open()
  }

  async function ask(question: Question) {
    const asked = listener
    if (!asked) throw new DatabaseUnavailable('there is no connection to the database')
    const echo = String(++questions)
    const heard = new Promise<void>((resolve) => awaited.set(echo, resolve))
    try {
      const answer = await withTimeout(ANSWER_MS, asked.ask(question, saying(ECHO, echo)), noAnswer)
      await withTimeout(ANSWER_MS, heard, noAnswer).then(
        () => (unheard = 0),
        () => {
          if (++unheard === 3) log.warn(NOTHING_PASSES)
          void openAgain(asked)
        },
      )
      return answer
    } catch (error) {
      void openAgain(asked)
      throw error
    } finally {
      awaited.delete(echo)
    }
  }

  const saying = (id: number, text: string) => ({ channel: CHANNEL, parts: splitMessage(`${self} ${id}`, text) })

  return {
    echoes: true,
    ask,
    async write(db, id, envelopes) {
      await sayAtCommit(db, saying(id, JSON.stringify(envelopes)))
    },
    say(envelopes) {
      listener?.say(saying(SAID, JSON.stringify(envelopes))).catch(() => {})
    },
    async receive(given) {
      receiver = given
      await open()
    },
    close() {
      isClosed = true
      void listener?.close()
    },
  }
}

const NOTHING_PASSES =
  'the database answers but does not pass messages on: DATABASE_URL must point to Postgres itself, or to a pooler in ' +
  'session mode. Until then, changes made by other processes show up a few seconds late'

/** Postgres takes less than 8,000 bytes per notification; a character takes up to four. */
const PART_BYTES = 7_800
const PART = /.{1,1900}/gsu

export function splitMessage(head: string, text: string): string[] {
  const parts = Buffer.byteLength(text) <= PART_BYTES ? [text] : (text.match(PART) ?? [])
  return parts.map((part, index) => `${head} ${index + 1} ${parts.length} ${part}`)
}

/** Joins consecutive parts; drops messages whose beginning was missed. */
export function createPartJoiner(whole: (head: { from: string; id: number }, text: string) => void) {
  let gathered: string[] = []
  return (part: string) => {
    const [, from = '', id, number, of, text = ''] = /^(\S+) (\d+) (\d+) (\d+) (.*)$/s.exec(part) ?? []
    if (Number(number) === 1) gathered = []
    if (gathered.push(text) !== Number(number)) gathered = []
    else if (number === of) whole({ from, id: Number(id) }, gathered.join(''))
  }
}
