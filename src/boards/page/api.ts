import { apiOf } from '../../web/trpc'
import type { boardsRouter } from '../server/router'

export const boardsApi = apiOf<typeof boardsRouter>('boards')
