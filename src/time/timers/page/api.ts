import { apiOf } from '../../../web/trpc'
import type { timersRouter } from '../server/router'

export const timersApi = apiOf<typeof timersRouter>('time')
