import { protectedRoute } from '../../server/routes'
import { avatarUrl } from '../schema'
import { serveAvatar } from './avatarDownload'
import { uploadAvatar } from './avatarUpload'

export const usersRoutes = [
  protectedRoute.post(
    '/api/upload/avatar',
    'users.uploadAvatar',
    "Make a picture one's avatar: JPEG, PNG, WebP or GIF, 5 MB at most",
    avatarUrl,
    uploadAvatar,
    { status: 201, takesFile: 'avatar' },
  ),
  protectedRoute.get('/uploads/avatars/:name', 'users.avatar', "A person's avatar, as their avatar names it", null, serveAvatar),
]
