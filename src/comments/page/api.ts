import { apiOf } from '../../web/trpc'
import type { commentsRouter } from '../server/router'

export const commentsApi = apiOf<typeof commentsRouter>('comments')
