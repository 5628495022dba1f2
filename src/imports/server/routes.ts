import { protectedRoute } from '../../server/routes'
import { boardImport, uploadQuery } from '../schema'
import { upload } from './upload'

export const importsRoutes = [
  protectedRoute.post(
    '/api/imports',
    'imports.upload',
    'Upload what a board is to be made of, as the body: an archive of wrk, JSON of Trello, Planka or WeKan, or a CSV',
    boardImport,
    upload,
    { status: 201, takesBytes: true, inputs: [uploadQuery], refuses: [409, 413, 429] },
  ),
]
