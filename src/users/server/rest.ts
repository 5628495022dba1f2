import { restCalls } from '../../server/rest'
import { avatarRemoved, ownUser, profile } from '../schema'
import { usersRouter } from './router'

const { get, patch, remove } = restCalls('users', usersRouter)

export const usersRest = [
  get('/api/users/:username', 'profile', 'A profile; by a former name, for 90 days, whoever had it', profile),
  patch('/api/users/profile', 'update', "Change the fields given of one's profile", ownUser),
  patch(
    '/api/users/notifications',
    'setNotifications',
    'Set which mails one gets; emailNotifications off turns all off',
    ownUser,
  ),
  remove('/api/upload/avatar', 'removeAvatar', "Remove one's avatar; answers the default one", avatarRemoved),
]
