import { apiOf } from '../../web/trpc'
import type { invitationsRouter } from '../server/router'

export const invitationsApi = apiOf<typeof invitationsRouter>('invitations')
