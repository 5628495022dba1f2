import { apiOf } from '../../web/trpc'
import type { attachmentsRouter } from '../server/router'

export const attachmentsApi = apiOf<typeof attachmentsRouter>('attachments')
