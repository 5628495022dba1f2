import { connect, createServer, type Socket } from 'node:net'

/**
 * `silent` swallows everything, as a frozen server does; `forgotten` only what comes over connections that are open by
 * then, and `stale` cuts those as soon as something is asked over them; `deaf` swallows what goes over those that listen.
 * `held` keeps what the server sends until the line is mended, `committing` only what it answers to a COMMIT, and after
 * it; `unread` cuts whatever is to read a board; `slow` takes its time.
 */
type Lasting = 'cut' | 'silent' | 'deaf' | 'held' | 'committing' | 'unread' | 'slow' | Refusing
export type Failure = Lasting | 'forgotten' | 'stale'

/** Whoever connects is told this code of Postgres', and is not let in. */
type Refusing = { code: '53300' | '57P03' }

const SLOW_MS = 200
const LISTENS = 'wrk listens'
const COMMITTED = 'COMMIT\0'

type Link = {
  near: Socket
  far: Socket
  isForgotten: boolean
  isStale: boolean
  hasCommitted: boolean
  isListening: boolean
  isWatched: boolean
  held: Uint8Array[]
}

/** A line to a server that can be cut, or fall silent without a word; each connection asks anew where it leads. */
export async function lineTo(address: string | (() => string)) {
  const links = new Set<Link>()
  let state: 'well' | Lasting = 'well'
  let watched: { statement: string; act(): void } | undefined
  let elsewhere: string | undefined
  const target = () => new URL(elsewhere ?? (typeof address === 'string' ? address : address()))

  function note(link: Link, data: Buffer) {
    if (data.includes(LISTENS)) link.isListening = true
    if (watched && data.includes(watched.statement)) link.isWatched = true
  }

  /** Whether it is the answer that is not to come. */
  function isLast(link: Link, data: Buffer) {
    if (!watched || !link.isWatched || !data.includes(COMMITTED)) return false
    watched.act()
    watched = undefined
    return true
  }

  function pass(link: Link, to: Socket, data: Uint8Array) {
    if (link.isStale) return void link.near.destroy()
    if (to === link.far) note(link, Buffer.from(data))
    if (link.isForgotten || state === 'silent' || (state === 'deaf' && link.isListening)) return
    if (to === link.near && isLast(link, Buffer.from(data))) return
    if (state === 'unread' && Buffer.from(data).includes('/snapshot ')) return void to.destroy()
    if (state === 'committing' && to === link.far) link.hasCommitted ||= Buffer.from(data).includes('COMMIT')
    if ((state === 'held' || link.hasCommitted) && to === link.near) link.held.push(data)
    else if (state === 'slow') setTimeout(() => to.write(data), SLOW_MS)
    else to.write(data)
  }

  function join(near: Socket): Link {
    const { hostname, port } = target()
    const far = connect(Number(port || 5432), hostname)
    const link: Link = {
      near,
      far,
      isForgotten: false,
      isStale: false,
      hasCommitted: false,
      isListening: false,
      isWatched: false,
      held: [],
    }
    near.on('data', (data: Uint8Array) => pass(link, far, data))
    far.on('data', (data: Uint8Array) => pass(link, near, data))
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.setNoDelay(true)
      end.on('error', () => {})
      end.on('close', () => {
        links.delete(link)
        // A router that forgot a connection does not tell the other side of its end either.
        if (!link.isForgotten) setTimeout(() => other.end(), state === 'slow' ? SLOW_MS : 0)
      })
    }
    return link
  }
  const server = createServer((near) => {
    if (state === 'cut') near.destroy()
    else if (typeof state === 'object') refuse(near, state)
    else links.add(join(near))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address()
  const url = new URL(typeof address === 'string' ? address : 'http://127.0.0.1')
  url.host = `127.0.0.1:${typeof own === 'object' ? own?.port : ''}`

  const cut = () => {
    for (const { near, far } of links) {
      near.destroy()
      far.destroy()
    }
    links.clear()
  }
  return {
    url: url.href,
    /** Comes out elsewhere from now on. */
    lead(to: string) {
      elsewhere = to
      cut()
    },
    /** Acts once what holds this statement is stored, and before whoever made it knows. */
    atCommit(statement: string, act: () => void) {
      watched = { statement, act }
    },
    fail(how: Failure) {
      if (how === 'forgotten') for (const link of links) link.isForgotten = true
      else if (how === 'stale') for (const link of links) link.isStale = true
      else state = how
      if (how === 'cut' || typeof how === 'object') cut()
    },
    mend() {
      if (state === 'silent' || state === 'deaf') cut()
      state = 'well'
      for (const link of links) {
        link.hasCommitted = false
        for (const data of link.held.splice(0)) link.near.write(data)
      }
    },
    close() {
      cut()
      server.close()
    },
  }
}

function refuse(near: Socket, { code }: Refusing) {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  near.on('error', () => {})
  near.once('data', () => near.end(Buffer.concat([head, fields])))
}
