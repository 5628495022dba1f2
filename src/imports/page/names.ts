import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Board } from '../../boards/schema'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { client } from '../../web/client'
import { changeKind } from '../../web/live/changeKinds'
import { useReadAgain } from '../../web/live/rereads'
import { useLiveMessages } from '../../web/live/socket'
import { useChange } from '../../web/live/undoableChanges'
import { queryClient, trpc } from '../../web/queryClient'
import { reasonOr } from '../../web/refusal'
import { throttled } from '../../web/scheduling'
import type { ImportedName, Offer } from '../schema'

const namesQuery = (boardId: number) => ({ ...trpc.imports.names.queryOptions({ boardId }), staleTime: 0 })

const readNamesAgain = (boardId: number) => queryClient.invalidateQueries(namesQuery(boardId))

/** All imported names for the board's creator; for others, those they are asked about. */
export const useNames = ({ id, importedAt }: Board): ImportedName[] =>
  useQuery({ ...namesQuery(id), enabled: importedAt !== null }).data ?? []

export type OwnName = Pick<ImportedName, 'user' | 'work'> & { isRefused: boolean }

export function useOwnNames(board: Board): OwnName[] {
  const viewer = useViewer()
  return useNames(board).flatMap(({ user, work, asked }) => {
    const own = asked.find(({ userId }) => userId === viewer.id)
    return own && own.answer !== 'yes' ? [{ user, work, isRefused: own.answer === 'no' }] : []
  })
}

/** Throttled, so that others' changes do not use up the viewer's rate limit. */
export function useLiveNames(boardId: number): void {
  const read = useMemo(() => throttled(() => readNamesAgain(boardId)), [boardId])
  const readOf = (changed: { boardId: number }) => changed.boardId === boardId && read()
  useLiveMessages({
    names_changed: readOf,
    board_member_added: readOf,
    board_member_removed: readOf,
    board_handed_over: readOf,
    user_profile_updated: readOf,
    current_user_updated: read,
  })
  useReadAgain(read)
}

const offer = changeKind({
  name: 'imports.offerName',
  online: true,
  send: ({ to: _to, isSelf: _isSelf, ...input }: Offer & { boardId: number; to: UserSummary | null; isSelf: boolean }, call) =>
    client.imports.offerName.mutate(input, call),
  texts: {
    success: (_answer, { to, isSelf }) => {
      if (!to) return { title: 'Question Withdrawn', description: 'The imported work stays as it is.' }
      const asked = isSelf ? 'You' : displayName(to)
      return {
        title: 'Question Sent',
        description: `${asked} will be asked on this board whether the imported work is ${isSelf ? 'yours' : 'theirs'}.`,
      }
    },
    failure: (error) => ({ title: 'Question Not Sent', description: reasonOr(error, 'Please try again.') }),
  },
})

export function useOfferName(boardId: number, name: UserSummary) {
  const viewer = useViewer()
  const { run, isPending } = useChange(boardId, offer)
  const to = (person: UserSummary | null) =>
    run({ boardId, nameId: name.id, userId: person?.id ?? null, to: person, isSelf: person?.id === viewer.id }).finally(() =>
      readNamesAgain(boardId),
    )
  return { to, isPending }
}

const NOT_YOURS = { title: 'Not Yours', description: 'Changed your mind? See Invite Members.' }
const notAnswered = (error: unknown) => ({ title: 'Answer Not Saved', description: reasonOr(error, 'Please try again.') })

const answer = changeKind({
  name: 'imports.answerName',
  online: true,
  send: (input: { boardId: number; nameId: number; isMine: boolean }, call) => client.imports.answerName.mutate(input, call),
  texts: {
    success: (_answer, { isMine }) =>
      isMine ? { title: 'Work Claimed', description: 'What was imported under this name is yours now.' } : NOT_YOURS,
    failure: notAnswered,
  },
})

export function useAnswerName(boardId: number, name: UserSummary) {
  const { run, isPending } = useChange(boardId, answer)
  const say = (isMine: boolean) => run({ boardId, nameId: name.id, isMine }).finally(() => readNamesAgain(boardId))
  return { say, isPending }
}

const decline = changeKind({
  name: 'imports.declineNames',
  online: true,
  send: (input: { boardId: number; nameIds: number[] }, call) => client.imports.declineNames.mutate(input, call),
  texts: { success: NOT_YOURS, failure: notAnswered },
})

export function useDeclineNames(boardId: number) {
  const { run, isPending } = useChange(boardId, decline)
  return { run: (nameIds: number[]) => run({ boardId, nameIds }).finally(() => readNamesAgain(boardId)), isPending }
}
