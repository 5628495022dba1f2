import { useMutation, useQuery } from '@tanstack/react-query'
import { keepInviteRedirect, takeInviteRedirect } from '../../auth/page/inviteRedirect'
import { useBoardMutation, useWithForeseen } from '../../boards/page/boardMutation'
import { boardsQuery } from '../../boards/page/cache'
import type { BoardChange } from '../../protocol'
import { listQuery } from '../../web/liveLists'
import { client, deniedOr, queryClient, refusalOf } from '../../web/trpc'
import type { InvitedBoard, OpenInvitation } from '../schema'

/** A board's open invitations, oldest first, after one change of the board. Pure and idempotent. */
export function applyInvitationChange(invitations: OpenInvitation[], change: BoardChange): OpenInvitation[] {
  switch (change.type) {
    case 'invitation_changed': {
      const { invitation } = change.payload
      const others = invitations.filter(({ id }) => id !== invitation.id)
      return invitation.status === 'pending' ? [...others, invitation].sort((a, b) => a.id - b.id) : others
    }
    case 'board_member_added': {
      const used = change.payload.invitationIds ?? []
      return invitations.filter(({ id }) => !used.includes(id))
    }
    case 'board_member_removed': {
      const { userId } = change.payload
      return invitations.filter(({ invitedBy }) => invitedBy !== userId)
    }
    default:
      return invitations
  }
}

const openInvitationsQuery = (boardId: number) =>
  listQuery(boardId, ['invitations'], (signal) => client.invitations.list.query({ boardId }, { signal }), applyInvitationChange)

/** The open invitations of a board as they will be when all that is in flight has arrived. */
export function useOpenInvitations(boardId: number) {
  const { data, isError, isFetching, refetch } = useQuery(openInvitationsQuery(boardId))
  const invitations = useWithForeseen(boardId, data, applyInvitationChange)
  return { invitations, isError, isFetching, retry: () => void refetch() }
}

const revoked = (invitation: OpenInvitation): BoardChange => ({
  type: 'invitation_changed',
  payload: { invitation: { ...invitation, status: 'revoked' } },
})

export const useRevokeInvitation = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ id: invitationId }: OpenInvitation, stamp) => client.invitations.revoke.mutate({ boardId, invitationId }, stamp),
    foresee: (invitation) => [revoked(invitation)],
    learned: (_answer, invitation) => [revoked(invitation)],
    meta: {
      success: { title: 'Invitation Revoked', description: 'The link that was sent no longer works.' },
      failure: deniedOr({ title: 'Revocation Failed', description: 'Could not revoke the invitation. Please try again.' }),
    },
  })

/** What an address of the invitation page names: a link's token, or, in old links, a board's number. */
export type InviteAddress = { token: string } | { boardId: number }

/** What an address invites to; `email` is known of links only. Asked anew each time it is opened: links end. */
export const invitedQuery = (address: InviteAddress) => ({
  queryKey: ['invited', address],
  async queryFn(): Promise<{ board: InvitedBoard; email?: string; expiresAt?: string }> {
    if ('token' in address) return client.invitations.get.query(address)
    return { board: await client.invitations.legacy.query(address) }
  },
  gcTime: 0,
})

/** `arrive` is told of the board that one is a member of now. */
export const useJoin = (address: InviteAddress, board: InvitedBoard, arrive: (board: InvitedBoard) => void) =>
  useMutation({
    mutationFn: () =>
      'token' in address ? client.invitations.accept.mutate(address) : client.invitations.acceptLegacy.mutate(address),
    // Whoever finds the session ended is sent to sign in, and comes back.
    onMutate: keepInviteRedirect,
    async onSuccess(answer) {
      takeInviteRedirect()
      await queryClient.invalidateQueries(boardsQuery())
      arrive(answer.board)
    },
    onError(error) {
      if (refusalOf(error)?.code === 'UNAUTHORIZED') return
      takeInviteRedirect()
      // One may have joined, and the answer was lost on its way.
      void queryClient.invalidateQueries(boardsQuery())
    },
    meta: {
      success: { title: 'Board Joined', description: `You have successfully joined the board: ${board.name}.` },
    },
  })

const NOT_PROCESSED = 'Failed to process your invitation. The board may not exist or has expired.'
const NOT_JOINED = 'Failed to join the board. Please try again later.'

/** The server's own words where it refused; a fault or a lost connection is told in the page's (product.md, section 8). */
const reason = (error: unknown, otherwise: string) => {
  const refused = refusalOf(error)
  return refused && refused.code !== 'INTERNAL_SERVER_ERROR' ? refused.message : otherwise
}
export const reasonNotProcessed = (error: unknown): string => reason(error, NOT_PROCESSED)
export const reasonNotJoined = (error: unknown): string => reason(error, NOT_JOINED)

/** Whether asking again is of no use. */
export const isGone = (error: unknown): boolean => refusalOf(error)?.code === 'NOT_FOUND'
