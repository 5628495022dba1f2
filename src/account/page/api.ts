import { apiOf } from '../../web/trpc'
import type { accountRouter } from '../server/router'

export const accountApi = apiOf<typeof accountRouter>('account')
