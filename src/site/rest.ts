import { z } from 'zod'
import { security } from '../account/schema'
import { feed } from '../activity/schema'
import { attachment } from '../attachments/schema'
import { checkout, subscriptionStatus } from '../billing/schema'
import { board, boardEntry } from '../boards/schema'
import { comment } from '../comments/schema'
import { invitation, invited, joined, legacyInvited, openInvitation } from '../invitations/schema'
import { inbox } from '../notifications/schema'
import { success } from '../schema'
import { task } from '../tasks/schema'
import { ownTimers, timeEntry } from '../time/entries/schema'
import { rates } from '../time/rates/schema'
import { report, statement } from '../time/report/schema'
import { avatarRemoved, ownUser, profile, userSummary } from '../users/schema'
import type { appRouter } from './router'

type Domains = Omit<typeof appRouter, '_def' | 'createCaller'>
export type Procedure = { [D in keyof Domains]: `${D}.${keyof Domains[D] & string}` }[keyof Domains]

/** One documented call: its parameters are named as the procedure's input names them. */
export type Call = {
  method: string
  path: string
  procedure: Procedure
  does: string
  answers: z.ZodType
  status: number
  operationId: string
}

const call =
  (method: string, status = 200) =>
  (path: string, procedure: Procedure, does: string, answers: z.ZodType, operationId: string = procedure): Call => ({
    method,
    path,
    procedure,
    does,
    answers,
    status,
    operationId,
  })
const get = call('GET')
const post = call('POST')
const create = call('POST', 201)
const patch = call('PATCH')
const remove = call('DELETE')

const user = z.object({ user: userSummary })
const sent = success.extend({ message: z.string() })

/** Section 7 of both specifications. */
export const calls: Call[] = [
  get('/api/auth/me', 'auth.me', 'The signed-in user', ownUser),
  get('/api/user', 'auth.me', 'The signed-in user; as /api/auth/me', ownUser, 'auth.user'),
  create('/api/auth/register', 'auth.register', 'Create an account and sign in', ownUser),
  post('/api/auth/login', 'auth.login', 'Sign in with a username or e-mail and a password', ownUser),
  post('/api/auth/logout', 'auth.logout', 'Sign out', success),
  post('/api/logout', 'auth.logout', 'Sign out; as /api/auth/logout', success, 'auth.signOut'),
  post(
    '/api/auth/dev-login-json',
    'auth.devLogin',
    'Sign in as the developer, outside production',
    success.extend({ user: ownUser }),
  ),
  post('/api/auth/forgot-password', 'auth.forgotPassword', 'Mail a link to set a new password', sent),
  post('/api/auth/magic-link', 'auth.magicLink', 'Mail a link that signs in', sent),
  post(
    '/api/auth/password',
    'account.setPassword',
    'Set a new password; the current one is needed except after a reset link',
    success,
  ),
  remove('/api/auth/sessions', 'account.endOtherSessions', 'Sign out everywhere else', success),
  remove('/api/auth/sessions/:sessionId', 'account.endSession', 'End a session', success),
  get('/api/account', 'account.security', "One's sessions, and what would go with one's account", security),
  remove('/api/account', 'account.delete', "Delete one's account with the boards that one created", success),
  get('/api/users/:username', 'users.profile', 'A profile; by a former name, for 90 days, whoever had it', profile),
  patch('/api/users/profile', 'users.update', "Change the fields given of one's profile", ownUser),
  patch(
    '/api/users/notifications',
    'users.setNotifications',
    'Set which mails one gets; emailNotifications off turns all off',
    ownUser,
  ),
  remove('/api/upload/avatar', 'users.removeAvatar', "Remove one's avatar; answers the default one", avatarRemoved),
  get('/api/subscription-status', 'billing.status', "How it goes on with one's subscription", subscriptionStatus),
  post(
    '/api/get-or-create-subscription',
    'billing.setUp',
    'Begin to subscribe to Pro, or go on with what was begun; answers what the card form needs',
    checkout,
  ),
  post('/api/cancel-subscription', 'billing.cancel', 'End the subscription with its period', success),
  post('/api/resume-subscription', 'billing.resume', 'Let a subscription that was to end go on', success),
  post('/api/dev/checkout', 'billing.simulatePayment', 'Pay, or be declined, where payment is only simulated', success),
  post('/api/dev/end-period', 'billing.simulatePeriodEnd', "End one's billing period, where payment is only simulated", success),
  get('/api/boards', 'boards.list', 'The boards of which one is a member, oldest first', z.array(boardEntry)),
  create('/api/boards', 'boards.create', 'Create a board', board),
  get('/api/boards/:boardId', 'boards.get', 'A board with its members', board),
  patch('/api/boards/:boardId', 'boards.update', 'Change name or description', board),
  remove('/api/boards/:boardId', 'boards.delete', 'Delete a board with all that is on it', success),
  get(
    '/api/boards/:boardId/activity',
    'activity.board',
    'What was done on a board, newest first, 30 at a time; nextCursor goes on',
    feed,
  ),
  create(
    '/api/boards/:boardId/members',
    'boards.addMember',
    'Add a member by e-mail or username; an address without an account is invited by mail, anew if it was before',
    z.union([user, z.object({ invitation })]),
  ),
  remove('/api/boards/:boardId/members/:userId', 'boards.removeMember', 'Remove a member, or leave', success),
  get(
    '/api/boards/:boardId/invitations',
    'invitations.list',
    'The invitations that nobody has used, those that expired lately too',
    z.array(openInvitation),
  ),
  remove('/api/boards/:boardId/invitations/:invitationId', 'invitations.revoke', 'Take an invitation back', success),
  get('/api/boards/:boardId/info', 'invitations.legacy', 'The name of a board to which somebody is invited', legacyInvited),
  post('/api/boards/:boardId/join', 'invitations.acceptLegacy', "Join a board to which one's address is invited", joined),
  get('/api/invitations/:token', 'invitations.get', 'What the link of an invitation leads to', invited),
  post('/api/invitations/:token/accept', 'invitations.accept', 'Join a board by the link of an invitation, once', joined),
  create('/api/boards/:boardId/tasks', 'tasks.create', 'Create a task at the end of its column', task),
  get('/api/tasks/:taskId', 'tasks.get', 'A task', task),
  patch('/api/tasks/:taskId', 'tasks.update', 'Change the fields given; before or after (a task id) names the place', task),
  remove('/api/tasks/:taskId', 'tasks.delete', 'Delete a task', success),
  post('/api/tasks/:taskId/restore', 'tasks.restore', 'Bring back a task that one deleted in the last 10 seconds', task),
  get('/api/tasks/:taskId/activity', 'activity.task', 'What was done to a task; as that of its board', feed),
  create('/api/tasks/:taskId/assignees', 'tasks.assign', 'Assign a member of the board', task),
  remove('/api/tasks/:taskId/assignees/:userId', 'tasks.unassign', 'End an assignment', success),
  get(
    '/api/tasks/:taskId/comments',
    'comments.list',
    'The comments of a task, oldest first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(comment),
  ),
  create('/api/tasks/:taskId/comments', 'comments.create', 'Comment on a task', comment),
  patch('/api/comments/:commentId', 'comments.update', "Edit one's comment", comment),
  remove('/api/comments/:commentId', 'comments.delete', "Delete one's comment", success),
  get(
    '/api/notifications',
    'notifications.list',
    'What concerns oneself, the newest first; cursor, the id of the last one, goes on',
    inbox,
  ),
  post(
    '/api/notifications/read',
    'notifications.read',
    'Mark notifications as read: those of ids, or all',
    success.extend({ unread: z.number() }),
  ),
  get('/api/attachments/:taskId', 'attachments.list', 'The files of a task, oldest first', z.array(attachment)),
  remove('/api/attachments/:attachmentId', 'attachments.delete', 'Delete a file that one uploaded', success),
  get(
    '/api/time-entries/task/:taskId',
    'time.ofTask',
    'The time entries of a task, the newest work first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(timeEntry),
  ),
  get(
    '/api/time-entries/board/:boardId',
    'time.ofBoard',
    'The time entries of a board, the newest day first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(timeEntry),
  ),
  get('/api/time-entries/timers', 'time.timers', "One's own timers that run or rest, by the server's clock", ownTimers),
  create(
    '/api/time-entries',
    'time.create',
    'Log work in minutes, or, with the status ACTIVE, start a timer, which pauses the one that runs',
    timeEntry,
  ),
  patch('/api/time-entries/:entryId', 'time.update', "Change one's entry; a status turns or completes a timer", timeEntry),
  remove('/api/time-entries/:entryId', 'time.delete', "Delete one's entry", success),
  post('/api/time-entries/:entryId/confirm', 'time.confirm', 'Say that all that a timer counted was work', timeEntry),
  get(
    '/api/boards/:boardId/time-report',
    'time.report',
    'A page of the time entries of a board, and sums over all that match: days from and to, ids with commas',
    report,
  ),
  get(
    '/api/boards/:boardId/time-statement',
    'time.statement',
    'The time entries of a board that match, to be printed',
    statement,
  ),
  get('/api/boards/:boardId/rates', 'time.rates', "The hourly rates that one may see: the creator all, others one's own", rates),
  patch('/api/boards/:boardId/rates/:userId', 'time.setRate', "Set someone's hourly rate from a day on, in cents", rates),
]
