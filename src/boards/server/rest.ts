import { z } from 'zod'
import { sentInvitation } from '../../invitations/schema'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { userSummary } from '../../users/schema'
import { board, boardListItem, deletedBoard } from '../schema'
import { boardsRouter } from './router'

const { get, post, create, patch, remove } = restCalls('boards', boardsRouter)

export const boardsRest = [
  get('/api/boards', 'list', 'The boards of which one is a member, oldest first', z.array(boardListItem)),
  create('/api/boards', 'create', 'Create a board', board),
  patch(
    '/api/boards/order',
    'arrange',
    "Put one's boards into an order of one's own: the pinned ones, which come first, and the others; those not named stay as they are",
    success,
  ),
  get(
    '/api/boards/deleted',
    'deleted',
    'The boards deleted in the last 30 days that one can bring back or logged time on, the last deleted first',
    z.array(deletedBoard),
  ),
  get('/api/boards/:boardId', 'get', 'A board with its members', board),
  patch('/api/boards/:boardId', 'update', 'Change name or description, or whether members may make links to pass on', board),
  remove(
    '/api/boards/:boardId',
    'delete',
    'Delete a board with all that is on it; its creator can bring it back for 30 days',
    success,
  ),
  post('/api/boards/:boardId/restore', 'restore', 'Bring back a board that one created, deleted in the last 30 days', board),
  remove(
    '/api/deleted-boards/:boardId',
    'deleteForGood',
    'Delete a board for good that one created and deleted, unless others logged time on it',
    success,
  ),
  create(
    '/api/boards/:boardId/members',
    'addMember',
    'Add a member by email or username; an address without an account is invited by mail, anew if it was before',
    z.union([z.object({ user: userSummary }), z.object({ invitation: sentInvitation })]),
  ),
  remove('/api/boards/:boardId/members/:userId', 'removeMember', 'Remove a member, or leave', success),
]
