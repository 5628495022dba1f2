import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { userSummary } from '../../users/schema'
import { failedMails, listedBoards, listedInvitations, people, person, resetLink, retried, state, testedMail } from '../schema'
import { operatorRouter } from './router'

const { get, post, remove } = restCalls('operator', operatorRouter)

/** For operators; everybody else gets 404. */
export const operatorRest = [
  get('/api/operator/users', 'users', 'Everybody, the newest first; for operators, as all of these', people),
  get('/api/operator/users/:userId', 'user', 'Somebody', person),
  post('/api/operator/users/:userId/prove', 'prove', 'Say that an email is that of whose account has it', success),
  post('/api/operator/users/:userId/disable', 'disable', 'Let somebody sign in no more, and end their sessions', success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/enable', 'enable', 'Let somebody sign in again', success),
  post('/api/operator/users/:userId/plan', 'setPlan', 'Give somebody Pro without a payment, or take that back', success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/operator', 'setOperator', 'Make somebody an operator, or none any more', success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/email', 'setEmail', "Change somebody's email, which ends their sessions", success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/reset-link', 'resetLink', 'Make a link by which somebody sets a new password', resetLink, {
    refuses: [409],
  }),
  remove(
    '/api/operator/users/:userId',
    'deleteUser',
    'Delete an account with the boards that it created; what it did on other boards stays under “Former member”',
    success,
    { refuses: [409] },
  ),
  get('/api/operator/boards', 'boards', 'The names of all boards, the newest first', listedBoards),
  get('/api/operator/boards/:boardId/members', 'members', 'Who is on a board', z.array(userSummary)),
  post('/api/operator/boards/:boardId/hand-over', 'handOver', 'Make a member of a board its creator', success, {
    refuses: [409],
  }),
  get('/api/operator/invitations', 'invitations', 'The invitations that nobody has used, of all boards', listedInvitations),
  remove('/api/operator/invitations/:invitationId', 'revokeInvitation', 'Take an invitation back', success),
  get('/api/operator/mails', 'mails', 'Mails that were given up, the newest first', failedMails),
  post('/api/operator/mails/retry', 'retryMails', 'Send all of them again that still have their text', retried, {
    refuses: [409],
  }),
  post('/api/operator/mails/test', 'testMail', 'Send a mail, and answer what the mail server said', testedMail),
  post('/api/operator/mails/:mailId/retry', 'retryMail', 'Send one of them again', retried),
  get('/api/operator/state', 'state', 'What may fail: mails, room on the disk, the last backup', state),
]
