import { type ServerMessage, VERSION_HEADER } from '../../protocol'
import { fetchInTime } from '../client'
import { createStore } from '../createStore'
import { serverAnswered } from './reachability'
import { dispatch, failedOpenings, joinedBoards, watchLive } from './socket'

/** One refusal may only mean that the server is restarting. */
const REFUSED_TIMES = 2
const ASK_EVERY_MS = 4_000
/** Data without a version is read only every few polls. */
const ALL_EVERY = 5
const BAD_GATEWAY = 502

const polling = createStore(false)
let asked = 0
let timer: ReturnType<typeof setTimeout> | undefined
const etags = new Map<number, string>()

/** Polls for changes if calls are answered but the socket cannot connect, as behind some proxies. */
watchLive(() => {
  if (failedOpenings() < REFUSED_TIMES) stop()
  else timer ??= setTimeout(ask)
})

function stop() {
  clearTimeout(timer)
  timer = undefined
  asked = 0
  etags.clear()
  polling.set(false)
}

async function ask() {
  const own = timer
  if (document.visibilityState === 'visible') {
    const boards = joinedBoards()
    const answers = await Promise.all(boards.length > 0 ? boards.map(askBoard) : [head('/health')])
    if (timer !== own) return
    const isAnswered = answers.some((answer) => answer !== undefined)
    if (isAnswered) serverAnswered()
    polling.set(isAnswered)
    asked += 1
    if (isAnswered && asked % ALL_EVERY === 0) dispatch({ type: 'messages_missed', payload: {} })
  }
  timer = setTimeout(ask, ASK_EVERY_MS)
}

/** What the socket would have said: a new version, or that the user may no longer see the board. */
async function askBoard(boardId: number): Promise<Response | undefined> {
  const known = etags.get(boardId)
  const answer = await head(`/api/boards/${boardId}/snapshot`, known === undefined ? {} : { 'If-None-Match': known })
  if (!answer) return undefined
  const version = Number(answer.headers.get(VERSION_HEADER))
  if (answer.ok && version > 0) {
    etags.set(boardId, answer.headers.get('etag') ?? '')
    dispatch({ type: 'joined_board', payload: { boardId, version } })
  }
  if (answer.status === 404) dispatch(gone(boardId))
  return answer
}

const gone = (boardId: number): ServerMessage => ({
  type: 'error',
  payload: { message: 'Board not found', code: 'NOT_FOUND', boardId },
})

const head = (path: string, headers: Record<string, string> = {}): Promise<Response | undefined> =>
  fetchInTime(path, { method: 'HEAD', headers, cache: 'no-store' }).then(
    (answer) => (answer.status < BAD_GATEWAY ? answer : undefined),
    () => undefined,
  )

export const useIsPolling = polling.use
