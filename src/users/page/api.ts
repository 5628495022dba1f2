import { apiOf } from '../../web/trpc'
import type { usersRouter } from '../server/router'

export const usersApi = apiOf<typeof usersRouter>('users')
