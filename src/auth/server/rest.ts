import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { ownUser } from '../../users/schema'
import { authRouter } from './router'

const { get, post, create } = restCalls('auth', authRouter)

const sent = success.extend({ message: z.string() })

export const authRest = [
  get('/api/auth/me', 'me', 'The signed-in user', ownUser),
  get('/api/user', 'me', 'The signed-in user; as /api/auth/me', ownUser, { operationId: 'auth.user' }),
  post('/api/auth/setup', 'setUp', 'Become the operator of a new server, by the token of its setup link', ownUser),
  create('/api/auth/register', 'register', 'Create an account and sign in', ownUser, { refuses: [409] }),
  post('/api/auth/login', 'login', 'Sign in with a username or email and a password', ownUser, { refuses: [401] }),
  post('/api/auth/logout', 'logout', 'Sign out', success),
  post('/api/logout', 'logout', 'Sign out; as /api/auth/logout', success, { operationId: 'auth.signOut' }),
  post(
    '/api/auth/dev-login-json',
    'devLogin',
    "Sign in as the developer, on a developer's own machine",
    success.extend({ user: ownUser }),
    { refuses: [404] },
  ),
  post('/api/auth/forgot-password', 'forgotPassword', 'Mail a link to set a new password', sent),
  post('/api/auth/magic-link', 'magicLink', 'Mail a link that signs in', sent),
  post('/api/auth/confirm-email', 'confirmEmail', "Mail another link that shows that one's email is one's own", sent),
]
