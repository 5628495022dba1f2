import { apiOf } from '../../web/trpc'
import type { boardStartersRouter } from '../server/router'

export const boardStartersApi = apiOf<typeof boardStartersRouter>('boardStarters')
