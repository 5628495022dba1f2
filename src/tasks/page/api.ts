import { apiOf } from '../../web/trpc'
import type { tasksRouter } from '../server/router'

export const tasksApi = apiOf<typeof tasksRouter>('tasks')
