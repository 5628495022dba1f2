import { z } from 'zod'
import { text } from '../inputs'
import { notFound } from '../server/errors'
import { router, signedIn } from '../server/trpc'
import { findProfile } from './store'

export const usersRouter = router({
  profile: signedIn.input(z.object({ username: text(200).toLowerCase() })).query(async ({ ctx, input }) => {
    const profile = await findProfile(ctx.db, input.username)
    if (!profile) throw notFound('User not found')
    return profile
  }),
})
