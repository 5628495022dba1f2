import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { invitationPreview, joinResult, legacyInvitationPreview, madeLink, openInvitation } from '../schema'
import { invitationsRouter } from './router'

const { get, post, create, remove } = restCalls('invitations', invitationsRouter)

export const invitationsRest = [
  get(
    '/api/boards/:boardId/invitations',
    'list',
    'The invitations that nobody has used, those that expired lately too',
    z.array(openInvitation),
  ),
  remove('/api/boards/:boardId/invitations/:invitationId', 'revoke', 'Take an invitation back', success),
  create(
    '/api/boards/:boardId/invite-links',
    'makeLink',
    'Make a link to pass on, by which anybody with an account joins for seven days; it is shown once',
    madeLink,
  ),
  get('/api/boards/:boardId/info', 'legacy', 'The name of a board to which somebody is invited', legacyInvitationPreview),
  post('/api/boards/:boardId/join', 'acceptLegacy', "Join a board to which one's account or address is invited", joinResult),
  post('/api/boards/:boardId/decline', 'declineLegacy', "Say no to an invitation of one's account or address", success),
  get('/api/invitations/:token', 'get', 'What the link of an invitation leads to', invitationPreview),
  post('/api/invitations/:token/accept', 'accept', 'Join a board by the link of an invitation, once', joinResult),
  post('/api/invitations/:token/decline', 'decline', 'Say no to an invitation by its link, which then ends', success),
]
