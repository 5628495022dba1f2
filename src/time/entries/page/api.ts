import { apiOf } from '../../../web/trpc'
import type { entriesRouter } from '../server/router'

export const entriesApi = apiOf<typeof entriesRouter>('time')
