import { apiOf } from '../../../web/trpc'
import type { mineRouter } from '../server/router'

export const mineApi = apiOf<typeof mineRouter>('time')
