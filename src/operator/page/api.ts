import { apiOf } from '../../web/trpc'
import type { operatorRouter } from '../server/router'

export const operatorApi = apiOf<typeof operatorRouter>('operator')
