import { z } from 'zod'
import { done, text } from '../../schema'
import { notFound } from '../../server/errors'
import { grantProfile } from '../../server/grants'
import { acting, router, signedIn } from '../../server/trpc'
import { DEFAULT_AVATAR, notificationChanges, profileChanges, type SupportOptions } from '../schema'
import { tellOfUser, tellOwnPages } from './announceProfile'
import { findProfile, setNotifications, updateProfile } from './store'

export const usersRouter = router({
  profile: signedIn.input(z.object({ username: text(200).toLowerCase() })).query(async ({ ctx, input }) => {
    const profile = await findProfile(ctx.db, ctx.viewer.id, input.username)
    if (!profile) throw notFound('User not found')
    return profile
  }),

  update: acting.input(profileChanges).mutation(async ({ ctx, input }) => {
    const grant = await grantProfile(ctx.db, ctx.viewer)
    const updated = await updateProfile(ctx.db, grant, input)
    await tellOfUser(ctx, grant, updated)
    return updated.user
  }),

  setNotifications: acting.input(notificationChanges).mutation(async ({ ctx, input }) => {
    const user = await setNotifications(ctx.db, ctx.viewer.id, input)
    tellOwnPages(ctx.outbox, user)
    return user
  }),

  /** Pictures come in by upload.ts and go out by serving.ts. */
  removeAvatar: acting.mutation(async ({ ctx }) => {
    const grant = await grantProfile(ctx.db, ctx.viewer)
    const updated = await updateProfile(ctx.db, grant, { avatar: DEFAULT_AVATAR })
    ctx.sweep()
    await tellOfUser(ctx, grant, updated)
    return { ...done, url: DEFAULT_AVATAR }
  }),

  support: signedIn.query(
    ({ ctx: { parts, viewer } }): SupportOptions => ({
      email: parts.config.supportEmail,
      canBook: parts.config.bookingUrl !== undefined,
      bookingUrl: (viewer.isPro && parts.config.bookingUrl) || null,
    }),
  ),
})
