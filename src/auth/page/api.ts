import { apiOf } from '../../web/trpc'
import type { authRouter } from '../server/router'

export const authApi = apiOf<typeof authRouter>('auth')
