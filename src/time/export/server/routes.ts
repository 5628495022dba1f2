import { protectedRoute } from '../../../server/routes'
import { exportOptions } from '../../report/schema'
import { sendCsv, sendOwnHours } from './csv'

export const exportRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/time.csv',
    'time.csv',
    'The time entries of a board that match, as CSV, those that run left out; format=invoice: billable ones, with rates and amounts',
    null,
    sendCsv,
    { inputs: [exportOptions], refuses: [409] },
  ),
  protectedRoute.get(
    '/api/boards/:boardId/my-hours.csv',
    'time.myHours',
    "One's own time entries on a board that was deleted in the last 30 days, as time.csv has them",
    null,
    sendOwnHours,
    { inputs: [exportOptions], refuses: [409] },
  ),
]
