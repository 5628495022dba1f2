import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { mayRemoveMember } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { boardsQuery } from '../../boards/page/cache'
import type { BoardListItem } from '../../boards/schema'
import { client } from '../../web/client'
import { queryClient } from '../../web/queryClient'
import { trpc } from '../../web/trpc'
import type { Profile } from '../schema'

/** `isMember` is undefined where the board could not be read. */
export type Access = {
  board: BoardListItem
  isMember: boolean | undefined
  isInvited: boolean
  isCreator: boolean
  whyFixed: string | undefined
}

const CREATOR_STAYS = 'Board creators cannot be removed from their own boards.'
const ONLY_CREATOR = 'Only the board creator can remove members.'
const LOCKED = 'This board is read-only for you on the Free plan.'
const INVITED = 'Has left this board, and is invited back.'
const NOT_READ = 'This board could not be loaded.'

/** The list of boards holds no members and no invitations, so those of each board are read. */
export function useBoardAccess(person: Profile) {
  const viewer = useViewer()
  const { data: boards, isError, refetch } = useQuery({ ...boardsQuery(), staleTime: 0 })
  const details = useQueries({
    queries: (boards ?? []).map(({ id }) => ({ ...trpc.boards.get.queryOptions({ boardId: id }), staleTime: 0 })),
  })
  const invitations = useQueries({
    queries: (boards ?? []).map(({ id }) => ({ ...trpc.invitations.list.queryOptions({ boardId: id }), staleTime: 0 })),
  })
  const rows = boards?.map((board, nth): Access => {
    const detail = details[nth]
    const isCreator = board.createdBy === person.id
    const isMember = detail?.data?.members.some(({ id }) => id === person.id)
    const isInvited = invitations[nth]?.data?.some(({ user }) => user?.id === person.id) ?? false
    const stays = isMember && !mayRemoveMember(viewer, board, person.id)
    const whyFixed =
      (isCreator && CREATOR_STAYS) ||
      (detail?.isError && NOT_READ) ||
      (board.locked && LOCKED) ||
      (stays && ONLY_CREATOR) ||
      (isInvited && INVITED) ||
      undefined
    return { board, isMember, isInvited, isCreator, whyFixed }
  })
  const areRead = [...details, ...invitations].every(({ isPending }) => !isPending)
  return { rows: areRead ? rows : undefined, isError, retry: () => void refetch() }
}

export type Pending = ReadonlyMap<number, 'add' | 'remove'>
type Outcome = { added: number; removed: number; failed: number; left: Pending }

/** Additions first, then removals, one by one; a failure does not stop the others. */
async function apply(person: Profile, pending: Pending): Promise<Outcome> {
  const { id: userId, username } = person
  const left = new Map(pending)
  const each = async (kind: 'add' | 'remove', change: (boardId: number) => Promise<unknown>) => {
    let done = 0
    for (const [boardId] of [...pending].filter(([, wanted]) => wanted === kind))
      try {
        await change(boardId)
        left.delete(boardId)
        done += 1
      } catch (error) {
        console.warn('The access to a board was not changed', error)
      }
    return done
  }
  const added = await each('add', (boardId) => client.boards.addMember.mutate({ boardId, username }))
  const removed = await each('remove', (boardId) => client.boards.removeMember.mutate({ boardId, userId }))
  if (left.size === pending.size) throw new NothingChanged()
  return { added, removed, failed: left.size, left }
}

class NothingChanged extends Error {}

function summed({ added, removed, failed }: Pick<Outcome, 'added' | 'removed' | 'failed'>): string {
  const failures = failed > 0 ? ` ${failed} operation(s) failed.` : ''
  if (added > 0 && removed > 0) return `Added to ${added} board(s) and removed from ${removed} board(s).${failures}`
  return `${added > 0 ? `Invited to ${added} board(s).` : `Removed from ${removed} board(s).`}${failures}`
}

export const useApplyAccess = (person: Profile) =>
  useMutation({
    mutationFn: (pending: Pending) => apply(person, pending),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries(trpc.boards.get.queryFilter()), queryClient.invalidateQueries(boardsQuery())]),
    meta: {
      success: (outcome) => ({ title: 'Board Access Updated', description: summed(outcome as Outcome) }),
      failure: (error) => ({
        title: 'Update Failed',
        description:
          error instanceof NothingChanged
            ? 'Failed to update board access. Please try again.'
            : 'Could not update board access. Please try again.',
      }),
    },
  })
