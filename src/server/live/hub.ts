import { log } from '../../log'
import type { ServerMessage } from '../../protocol'
import { unlessUnavailable } from '../errors'
import { createMessageOutboxes } from './messageOutbox'
import { type Missed, missedBySockets } from './missed.lookup'
import { boardTopic, createSockets, sendTo } from './openSockets'
import type { Relay } from './relay'

const RECONCILE_EVERY_MS = 1_500
/** Nothing is sent after this long without an answer. */
const TRUSTED_MS = 4_000

export type Hub = Awaited<ReturnType<typeof createHub>>

export async function createHub(relay: Relay) {
  const sockets = createSockets()
  let onMissed = () => {}
  let trustedUntil = performance.now() + TRUSTED_MS
  let timer: Timer | undefined
  let isStopped = false

  const isTrusted = () => !relay.echoes || performance.now() < trustedUntil
  const { hear, outbox } = createMessageOutboxes(relay, sockets, isTrusted)

  /** Asks the database in one query what the sockets missed, so that lost messages are noticed. */
  async function reconcile() {
    const began = performance.now()
    const asked = sockets.collectJoined()
    if (asked) sockets.applyMissed((await relay.ask(missedBySockets(asked))) as Missed, asked)
    trustedUntil = Math.max(trustedUntil, began + TRUSTED_MS)
  }

  async function reconcileAtIntervals() {
    const began = performance.now()
    await reconcile().catch(unlessUnavailable((error) => log.error('updates that sockets missed could not be read', {}, error)))
    if (!isStopped) timer = setTimeout(reconcileAtIntervals, Math.max(0, began + RECONCILE_EVERY_MS - performance.now()))
  }

  await relay.receive({
    hear,
    async catchUp(isAgain) {
      if (isAgain) onMissed()
      await reconcile()
      if (isAgain) for (const socket of sockets.all()) sendTo(socket, { type: 'messages_missed', payload: {} })
    },
  })
  void reconcileAtIntervals()

  const { attach, isOpen, onPresence, enter, join, leave, exit, all, socketsOf } = sockets
  return {
    attach,
    isOpen,
    onPresence,
    enter,
    join,
    leave,
    exit,
    all,
    socketsOf,
    outbox,
    publish: (boardId: number, message: ServerMessage) => sockets.publish([boardTopic(boardId)], message),
    /** Hears everything published, here or by other processes; `missed` means that some may be lost. */
    listen(hear: (message: ServerMessage) => void, missed: () => void) {
      sockets.hearPublished(hear)
      onMissed = missed
    },
    say: relay.say,
    isTrusted,
    reconcile,
    closeAll() {
      isStopped = true
      clearTimeout(timer)
      for (const socket of sockets.all()) socket.close(1001, 'Going away')
    },
  }
}
