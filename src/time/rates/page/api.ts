import { apiOf } from '../../../web/trpc'
import type { ratesRouter } from '../server/router'

export const ratesApi = apiOf<typeof ratesRouter>('time')
