import { z } from 'zod'
import { done } from '../../protocol'
import { text } from '../../schema'
import { notFound } from '../../server/errors'
import { restCalls } from '../../server/rest'
import { mutation, protectedProcedure, router } from '../../server/trpc'
import {
  avatarRemoved,
  DEFAULT_AVATAR,
  notificationChanges,
  ownUser,
  profile,
  profileChanges,
  type SupportOptions,
  userSummary,
} from '../schema'
import { announceAccount, changeProfile } from './changes'
import { usersRoutes } from './routes'
import { findProfile, setNotifications } from './store'

const usersRouter = router({
  profile: protectedProcedure.input(z.object({ username: text(200).toLowerCase() })).query(async ({ ctx, input }) => {
    const profile = await findProfile(ctx.db, ctx.viewer, input.username)
    if (!profile) throw notFound('User not found')
    return profile
  }),

  update: mutation
    .meta({ kind: 'unmetered' })
    .input(profileChanges)
    .mutation(({ ctx, input }) => changeProfile(ctx, input)),

  setNotifications: mutation
    .meta({ kind: 'unmetered' })
    .input(notificationChanges)
    .mutation(async ({ ctx, input }) => {
      const user = await setNotifications(ctx.db, ctx.viewer, input)
      announceAccount(ctx.outbox, user)
      return user
    }),

  removeAvatar: mutation.meta({ kind: 'deletes' }).mutation(async ({ ctx }) => {
    await changeProfile(ctx, { avatar: DEFAULT_AVATAR })
    ctx.sweep()
    return { ...done, url: DEFAULT_AVATAR }
  }),

  support: protectedProcedure.query(({ ctx: { services, viewer } }): SupportOptions => {
    const { hasPlans, supportEmail: email, bookingUrl } = services.config
    if (!hasPlans) throw notFound('This server has no plans.')
    return { email, canBook: bookingUrl !== undefined, bookingUrl: (viewer.isPro && bookingUrl) || null }
  }),
})

const { get, patch, remove } = restCalls('users', usersRouter)

const usersRest = [
  get('/api/users/:username', 'profile', 'A profile; a former username leads to it for 90 days', profile),
  patch('/api/users/profile', 'update', 'Change the given fields of your profile', ownUser),
  patch(
    '/api/users/notifications',
    'setNotifications',
    'Choose which emails you get; turning emailNotifications off turns off all of them',
    ownUser,
  ),
  remove('/api/upload/avatar', 'removeAvatar', 'Remove your avatar; returns the default one', avatarRemoved),
]

export const usersDomain = {
  router: usersRouter,
  rest: usersRest,
  routes: usersRoutes,
  shapes: { UserSummary: userSummary, OwnUser: ownUser, Profile: profile },
}
