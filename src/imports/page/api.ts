import { apiOf } from '../../web/trpc'
import type { importsRouter } from '../server/router'

export const importsApi = apiOf<typeof importsRouter>('imports')
