import { farewellMail, passwordMail } from '../../auth/server/mails'
import { hashPassword, isPassword } from '../../auth/server/passwords'
import { endLinks, holdPassword, proveAddress } from '../../auth/server/store'
import { noteDeparture } from '../../billing/server/deletedCustomers/store'
import { forgetAllDeparted } from '../../billing/server/reconciliation'
import { done } from '../../schema'
import { badRequest, conflict, forbidden, notFound } from '../../server/errors'
import { grantDeparture } from '../../server/grants'
import { guarded } from '../../server/rateLimits'
import { acting, announcing, type Context, commit, router, signedIn, type Within } from '../../server/trpc'
import type { OwnUser } from '../../users/schema'
import { deletion, FRESH_FOR, passwordChange, type Security, sessionEnd } from '../schema'
import {
  createdBoards,
  deleteAccount,
  endOtherSessions,
  endOwnSession,
  listSessions,
  passwordOf,
  readData,
  setPassword,
  stepOver,
  takeReset,
} from './store'

export const accountRouter = router({
  /** What one may know and do about one's own account. */
  security: signedIn.query(async ({ ctx: { db, viewer, session } }): Promise<Security> => {
    const hasPassword = (await passwordOf(db, viewer.id)) !== null
    const sessions = await listSessions(db, viewer.id)
    return {
      hasPassword,
      needsCurrentPassword: !mayReset(session),
      mayDelete: hasPassword || isFresh(session),
      sessions: sessions.map(({ createdAt, lastSeenAt, ...rest }) => ({
        ...rest,
        current: rest.id === session.key,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      })),
      boards: await createdBoards(db, viewer.id),
    }
  }),

  /** Sets a password: with the old one, or without it once after a reset link. */
  setPassword: signedIn.input(passwordChange).mutation(async ({ ctx, input }) => {
    const old = mayReset(ctx.session) ? null : await assertPassword(ctx, ctx.viewer, input.currentPassword)
    await ctx.parts.limits.spend('accountChanges', ctx.viewer.email)
    const hash = await hashPassword(input.newPassword)
    await commit(ctx.parts, async ({ db, outbox, mail }) => {
      // Links before the account, as whoever uses one holds them.
      await endLinks(db, ctx.viewer.email)
      if (old !== null && !(await holdPassword(db, ctx.viewer.id, old))) throw justChanged()
      // By the old one, or whoever gets its mail: only the latter has shown that the address is theirs.
      if (old === null) await proveAddress(db, ctx.viewer.id)
      await setPassword(db, ctx.viewer.id, hash)
      // Twice at once, the second is refused: what it could do without the old password is used up.
      if (old === null && !(await takeReset(db, ctx.session.key))) throw justChanged()
      for (const sessionKey of await endOtherSessions(db, ctx.viewer.id, ctx.session.key))
        outbox.push({ do: 'close', sessionKey })
      await mail(passwordMail(ctx.viewer.email, ctx.parts.origin()))
    })
    return done
  }),

  endSession: acting.input(sessionEnd).mutation(async ({ ctx, input: { sessionId } }) => {
    if (!(await endOwnSession(ctx.db, ctx.viewer.id, sessionId))) throw notFound('There is no such session.')
    ctx.outbox.push({ do: 'close', sessionKey: sessionId })
    return done
  }),

  endOtherSessions: acting.mutation(async ({ ctx }) => {
    const ended = await endOtherSessions(ctx.db, ctx.viewer.id, ctx.session.key)
    for (const sessionKey of ended) ctx.outbox.push({ do: 'close', sessionKey })
    return done
  }),

  /** What one has made, to take along. */
  data: signedIn.query(async ({ ctx }) => ({
    format: 'wrk account data, version 1',
    exportedAt: new Date().toISOString(),
    ...(await readData(ctx.db, ctx.viewer.id)),
  })),

  /** Deletes one's account, with the boards that one created and all that one wrote, uploaded and logged on others. */
  delete: signedIn.input(deletion).mutation(async ({ ctx, input: { password } }) => {
    const old = await assertOwner(ctx, ctx.viewer, password)
    await ctx.parts.limits.spend('accountChanges', ctx.viewer.email)
    await commit(ctx.parts, (within) => deleteWithBoards({ ...ctx, ...within }, old))
    void forgetAllDeparted(ctx.parts)
    ctx.headers.append('Set-Cookie', ctx.parts.sessions.cleared())
    return done
  }),
})

type SignedIn = Context & { session: NonNullable<Context['session']> }

const mayReset = ({ mayResetUntil }: SignedIn['session']) => mayResetUntil !== null && mayResetUntil > new Date()
const isFresh = ({ createdAt }: SignedIn['session']) => createdAt > new Date(Date.now() - FRESH_FOR)

const justChanged = () => conflict('The password was just changed.')

/** Answers the hash that the password was compared with. */
async function assertPassword(ctx: SignedIn, viewer: OwnUser, given: string | undefined): Promise<string> {
  const hash = await passwordOf(ctx.parts.db, viewer.id)
  if (hash === null) throw forbidden('This account has no password yet. Ask for a reset link to set one.')
  if (given === undefined) throw badRequest('Please enter your current password, or ask for a new reset link.')
  if (!(await guarded(ctx, { own: viewer.id }, () => isPassword(given, hash))))
    throw forbidden('The current password is not right.')
  return hash
}

/** Answers as above; null for an account without a password, which is its owner's who signed in a moment ago. */
async function assertOwner(ctx: SignedIn, viewer: OwnUser, password: string | undefined): Promise<string | null> {
  if ((await passwordOf(ctx.parts.db, viewer.id)) !== null) return assertPassword(ctx, viewer, password)
  if (!isFresh(ctx.session)) throw forbidden('Please sign in again first.')
  return null
}

async function deleteWithBoards(ctx: SignedIn & Within & { viewer: OwnUser }, old: string | null) {
  const { db, outbox, viewer } = ctx
  // Links before the account, as whoever uses one holds them.
  await endLinks(db, viewer.email)
  const grant = await grantDeparture(db, viewer)
  // Changing the password ends the other sessions: what they had asked for before must not come after it.
  if (old !== (await passwordOf(db, viewer.id))) throw justChanged()
  await stepOver(db, grant)
  for (const { id, createdBy } of grant.boards.filter(({ isMember }) => isMember))
    await announcing(ctx, id)(
      createdBy === viewer.id
        ? { type: 'board_deleted', payload: {} }
        : { type: 'board_member_removed', payload: { userId: viewer.id } },
      // With the account goes all that it did.
      [],
    )
  for (const { id } of await listSessions(db, viewer.id)) outbox.push({ do: 'close', sessionKey: id })
  // Or they would go on paying.
  await noteDeparture(db, viewer.id)
  await deleteAccount(db, grant)
  ctx.sweep()
  await ctx.mail(farewellMail(viewer.email))
}
