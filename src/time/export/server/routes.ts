import { protectedRoute } from '../../../server/routes'
import { exportOptions } from '../../report/schema'
import { sendCsv } from './csv'

export const exportRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/time.csv',
    'time.csv',
    'The time entries of a board that match, as CSV, those that run left out; format=invoice: billable ones, with rates and amounts',
    null,
    sendCsv,
    { inputs: [exportOptions], refuses: [409] },
  ),
]
