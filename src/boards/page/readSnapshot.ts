import type { Snapshot } from '../../tasks/schema'
import { fetchInTime } from '../../web/fetchInTime'
import { NoAnswer } from '../../web/live/connection'

export async function readSnapshot(boardId: number, signal: AbortSignal): Promise<Snapshot> {
  const response = await fetchInTime(`/api/boards/${boardId}/snapshot`, { signal }).catch(noAnswer)
  if (response.status >= BAD_GATEWAY) return noAnswer(response.status)
  if (!response.ok) throw new BoardUnavailable(response.status, response.headers.get('x-request-id'))
  // Our own server sends it.
  return response.json().catch(noAnswer) as Promise<Snapshot>
}

const FAULT = 500
const BAD_GATEWAY = 502

function noAnswer(reason: unknown): never {
  throw new NoAnswer(`The board did not answer: ${reason}`)
}

export class BoardUnavailable extends Error {
  readonly requestId: string | undefined
  constructor(
    readonly status: number,
    requestId: string | null,
  ) {
    super(`The board answered ${status}`)
    this.requestId = status >= FAULT ? (requestId ?? undefined) : undefined
  }
}
