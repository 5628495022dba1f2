import { protectedRoute } from '../../server/routes'
import { attachment } from '../schema'
import { serveFile } from './download'
import { upload } from './upload'

export const attachmentsRoutes = [
  protectedRoute.post(
    '/api/attachments/:taskId',
    'attachments.create',
    'Attach a file to a task: images, pdf, doc, docx, xls, xlsx, txt, 5 MB at most',
    attachment,
    upload,
    { status: 201, takesFile: 'file', mayTakeFile: 'thumbnail' },
  ),
  protectedRoute.get('/uploads/:name', 'attachments.file', "An attached file, by an attachment's fileUrl", null, serveFile),
]
