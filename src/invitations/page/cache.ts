import { useMutation } from '@tanstack/react-query'
import { keepInviteRedirect, takeReturnUrl } from '../../auth/page/returnUrl'
import { boardsQuery } from '../../boards/page/cache'
import type { BoardMessage } from '../../boards/schema'
import { readInboxAgain } from '../../notifications/page/cache'
import type { Received } from '../../protocol'
import type { UserSummary } from '../../users/schema'
import { client } from '../../web/client'
import { changeKind } from '../../web/live/changeKinds'
import { liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { useChange } from '../../web/live/undoableChanges'
import { queryClient } from '../../web/queryClient'
import { deniedOr, reasonIn, reasonOr, refusalOf } from '../../web/refusal'
import { copyText } from '../../web/toast'
import type { InvitationMessage, InvitedBoard, OpenInvitation } from '../schema'

const invitationReducers: Reducers<OpenInvitation[], InvitationMessage | BoardMessage> = {
  invitation_changed(invitations, { invitation }) {
    const others = invitations.filter(({ id }) => id !== invitation.id)
    return invitation.status === 'pending' ? [...others, invitation].sort((a, b) => a.id - b.id) : others
  },
  board_member_added: (invitations, { invitationIds = [] }) => invitations.filter(({ id }) => !invitationIds.includes(id)),
  // A member's invitations end with their membership.
  board_member_removed: (invitations, { userId }) => invitations.filter(({ invitedBy }) => invitedBy !== userId),
}

export const applyToInvitations = (invitations: OpenInvitation[], change: Change): OpenInvitation[] =>
  applyChange(invitationReducers, invitations, change)

const openInvitationsQuery = (boardId: number) =>
  liveQuery({
    key: [boardId, 'invitations'],
    read: (signal) => client.invitations.list.query({ boardId }, { signal }),
    apply: applyToInvitations,
  })

export function useOpenInvitations(boardId: number) {
  const { data: invitations, error, isError, isFetching, refetch } = useLive(openInvitationsQuery(boardId), applyToInvitations)
  return { invitations, error, isError, isFetching, retry: () => void refetch() }
}

const revoked = (invitation: OpenInvitation): Received<InvitationMessage> => ({
  type: 'invitation_changed',
  payload: { invitation: { ...invitation, status: 'revoked' } },
})

const revoke = changeKind({
  name: 'invitations.revoke',
  online: true,
  send: ({ boardId, id: invitationId }: OpenInvitation & { boardId: number }, call) =>
    client.invitations.revoke.mutate({ boardId, invitationId }, call),
  predict: ({ boardId: _, ...invitation }) => [revoked(invitation)],
  texts: {
    success: { title: 'Invitation Revoked', description: 'Its link no longer works.' },
    failure: deniedOr({ title: 'Invitation Not Revoked', description: 'Could not revoke the invitation. Please try again.' }),
  },
})

export function useRevokeInvitation(boardId: number) {
  const { run } = useChange(boardId, revoke)
  return { run: (invitation: OpenInvitation) => run({ boardId, ...invitation }) }
}

/** A link's token, or, in old links, a board's id. */
export type InviteAddress = { token: string } | { boardId: number }

export type InvitedTo = {
  board: InvitedBoard
  /** Only with a token. */
  email?: string
  /** Only with a token, or if the viewer is invited. */
  inviter?: UserSummary
  expiresAt?: string
}

/** Read each time: links expire. */
export const invitedQuery = (address: InviteAddress) => ({
  queryKey: ['invited', address],
  async queryFn(): Promise<InvitedTo> {
    if ('token' in address) return client.invitations.get.query(address)
    const { id, name, ...others } = await client.invitations.legacy.query(address)
    return { board: { id, name }, ...others }
  },
  gcTime: 0,
})

export const useJoin = (address: InviteAddress, board: InvitedBoard, arrive: (board: InvitedBoard) => void) =>
  useMutation({
    mutationFn: () =>
      'token' in address ? client.invitations.accept.mutate(address) : client.invitations.acceptLegacy.mutate(address),
    onMutate: keepInviteRedirect,
    async onSuccess(answer) {
      takeReturnUrl()
      await queryClient.invalidateQueries(boardsQuery())
      arrive(answer.board)
    },
    onError(error) {
      if (refusalOf(error)?.code === 'UNAUTHORIZED') return
      takeReturnUrl()
      // The invitation may have been accepted although the answer was lost.
      void queryClient.invalidateQueries(boardsQuery())
    },
    meta: {
      success: { title: 'Board Joined', description: `You have successfully joined the board: ${board.name}.` },
    },
  })

export const useDecline = (address: InviteAddress, onDeclined: () => void) =>
  useMutation({
    mutationFn: () =>
      'token' in address ? client.invitations.decline.mutate(address) : client.invitations.declineLegacy.mutate(address),
    onSuccess() {
      takeReturnUrl()
      readInboxAgain()
      onDeclined()
    },
    onError(error) {
      // It may have been declined although the answer was lost.
      if (isGone(error)) void queryClient.invalidateQueries(invitedQuery(address))
    },
    meta: {
      failure: (error) =>
        isGone(error) ? null : { title: 'Invitation Not Declined', description: reasonOr(error, 'Please try again.') },
    },
  })

const NOT_PROCESSED = 'Failed to process your invitation. The board may not exist or has expired.'
const NOT_JOINED = 'Failed to join the board. Please try again later.'

export const reasonNotProcessed = (error: unknown): string => reasonOr(error, NOT_PROCESSED)
export const reasonNotJoined = (error: unknown): string => reasonOr(error, NOT_JOINED)

/** A retry cannot help. */
export const isGone = (error: unknown): boolean => refusalOf(error)?.code === 'NOT_FOUND'

const NOT_MADE = 'Could not create an invite link. Please try again.'

/** A new one each time: the server keeps only hashes. */
export const useMakeLink = (boardId: number) =>
  useMutation({
    mutationFn: () => client.invitations.makeLink.mutate({ boardId }),
    onSuccess: ({ link }) => copyText(link, 'Link Copied'),
    meta: {
      failure: (error) => deniedOr({ title: 'Link Not Created', description: reasonIn(error) ?? NOT_MADE })(error),
    },
  })
