import { apiOf } from '../../web/trpc'
import type { billingRouter } from '../server/router'

export const billingApi = apiOf<typeof billingRouter>('billing')
