import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { security, sentAnswer } from '../schema'
import { accountRouter } from './router'

const { get, post, remove } = restCalls('account', accountRouter)

export const accountRest = [
  post('/api/auth/password', 'setPassword', 'Set a new password; the current one is needed except after a reset link', success),
  post('/api/account/email', 'changeEmail', "Ask for a link, mailed to a new email, that makes it one's own", sentAnswer),
  remove('/api/auth/sessions', 'endOtherSessions', 'Sign out everywhere else', success),
  remove('/api/auth/sessions/:sessionId', 'endSession', 'End a session', success),
  get('/api/account', 'security', "One's sessions, and what would go with one's account", security),
  remove(
    '/api/account',
    'delete',
    "Delete one's account with the boards that one created; what one did on other boards stays under “Former member”",
    success,
  ),
]
