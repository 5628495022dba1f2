import { apiOf } from '../../web/trpc'
import type { filledBoardsRouter } from '../server/router'

export const filledBoardsApi = apiOf<typeof filledBoardsRouter>('filledBoards')
