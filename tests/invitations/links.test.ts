import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { boardInvitations, users } from '../../src/db/tables'
import { admitByInvitation } from '../../src/invitations/server/store'
import { sentence } from '../../src/notifications/sentences'
import { hashToken } from '../../src/server/tokens'
import { onEachDatabase } from '../support/databases'
import { type People, type Person, withoutProof } from '../support/people'
import { anyEmail } from './inviter'

const INVALID = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }

type Made = { link: string; invitation: { id: number } }

onEachDatabase('a link to pass on', (server) => {
  const ask = (by: Pick<Person, 'http'>, { board }: Pick<People, 'board'>) =>
    by.http('POST', `/api/boards/${board.id}/invite-links`)
  const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
  async function make(by: Person, people: Pick<People, 'board'>) {
    const { link, invitation } = (await ask(by, people)).body as Made
    return { id: invitation.id, token: tokenOf(link) }
  }
  const join = (who: Pick<Person, 'http'>, token: string) => who.http('POST', `/api/invitations/${token}/accept`)
  const allow = (by: Person, { board }: Pick<People, 'board'>, inviteLinks: boolean) =>
    by.http('PATCH', `/api/boards/${board.id}`, { inviteLinks })
  const isMember = async (who: Person, { board }: Pick<People, 'board'>) =>
    (await who.http('GET', `/api/boards/${board.id}`)).status === 200
  const remove = ({ ada, board }: Pick<People, 'ada' | 'board'>, who: Person, by = ada) =>
    by.http('DELETE', `/api/boards/${board.id}/members/${who.id}`)

  test('lets in anybody with an account for seven days, and who made it is told of each', async () => {
    const people = await server.people()
    const { ada, bob, eve, nobody, board, person } = people
    const socket = await ada.socket(board)
    const made = await ask(bob, people)
    expect(made.status).toBe(201)
    const open = { id: expect.any(Number), email: null, status: 'pending', expiresAt: expect.any(String), invitedBy: bob.id }
    expect(made.body).toEqual({ link: expect.stringMatching(/\/invite\?token=[\w-]{43}$/), invitation: open })
    expect((await socket.next('invitation_changed')).invitation).toEqual({ ...open, status: 'pending' })
    expect((await ada.http('GET', `/api/boards/${board.id}/invitations`)).body).toEqual([open])
    const token = tokenOf((made.body as Made).link)
    expect(await server.db.select({ token: boardInvitations.token }).from(boardInvitations)).toEqual([
      { token: hashToken(token) },
    ])

    expect((await nobody.http('GET', `/api/invitations/${token}`)).body).toMatchObject({
      board: { id: board.id, name: 'Garden' },
      email: '',
      inviter: { username: 'bob' },
    })
    const fay = await person('fay')
    await withoutProof(server.db, fay)
    expect((await join(nobody, token)).status).toBe(401)
    for (const who of [eve, fay])
      expect(await join(who, token)).toMatchObject({ status: 200, body: { board: { id: board.id, name: 'Garden' } } })
    expect(await socket.next('board_member_added')).not.toHaveProperty('invitationIds')
    expect(await fay.api.auth.me.query()).toMatchObject({ emailVerified: false })
    const { notifications } = await bob.api.notifications.list.query({})
    expect(notifications.slice(0, 2).map((one) => [sentence(one), one.detail])).toEqual(
      ['fay', 'eve'].map((name) => [
        `${name} accepted your invitation to the board “Garden”`,
        'They joined through an invite link you created.',
      ]),
    )
    // A member changes nothing by it, and it is still open.
    expect((await join(eve, token)).status).toBe(200)
    expect(await ada.api.invitations.list.query({ boardId: board.id })).toHaveLength(1)
    await server.db.update(boardInvitations).set({ expiresAt: sql`now()` })
    expect(await join(await person('gil'), token)).toMatchObject({ status: 404, body: INVALID })
  })

  test('is made by members alone, ten at a time, and works for nobody by the board’s number', async () => {
    const people = await server.people()
    const { ada, bob, eve, nobody, board } = people
    expect([(await ask(nobody, people)).status, (await ask(eve, people)).status]).toEqual([401, 404])
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n % 2 ? ada : bob, people)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409])
    for (const what of ['join', 'decline']) expect((await eve.http('POST', `/api/boards/${board.id}/${what}`)).status).toBe(404)
    expect((await nobody.http('GET', `/api/boards/${board.id}/info`)).status).toBe(404)
  })

  test('is nobody’s to decline, and makes no account', async () => {
    const people = await server.people()
    const { token } = await make(people.ada, people)
    expect((await people.nobody.http('POST', `/api/invitations/${token}/decline`)).body).toEqual(INVALID)
    expect(await admitByInvitation(server.db, { token })).toBe(false)
    expect((await join(people.eve, token)).status).toBe(200)
  })

  test('is taken back by who made it and by the creator, and ends when who made it goes', async () => {
    const people = await server.people()
    const { ada, bob, eve, board, member } = people
    const cyra = await member('cyra')
    const revoke = (by: Person, id: number) => by.http('DELETE', `/api/boards/${board.id}/invitations/${id}`)
    for (const by of [bob, ada]) {
      const { id, token } = await make(bob, people)
      expect((await revoke(cyra, id)).status).toBe(403)
      expect((await revoke(by, id)).status).toBe(200)
      expect(await join(eve, token)).toMatchObject({ status: 404, body: INVALID })
    }
    for (const [who, by] of [
      [bob, ada],
      [cyra, cyra],
    ] as const) {
      const { token } = await make(who, people)
      expect((await remove(people, who, by)).status).toBe(200)
      expect((await join(eve, token)).status).toBe(404)
    }
  })

  test('ends with all others when the creator turns them off, and comes back with none', async () => {
    const people = await server.people()
    const { ada, bob, eve, board } = people
    const [{ token }, socket] = [await make(bob, people), await bob.socket(board)]
    expect((await allow(bob, people, false)).status).toBe(403)
    expect((await allow(ada, people, false)).body).toMatchObject({ name: 'Garden', inviteLinks: false })
    expect((await socket.next('BOARD_UPDATED')).updates).toEqual({ name: 'Garden', description: null, inviteLinks: false })
    expect((await socket.next('invitation_changed')).invitation).toMatchObject({ status: 'revoked' })
    expect(await bob.api.notifications.list.query({})).toMatchObject({ notifications: [] })
    for (const by of [ada, bob])
      expect((await ask(by, people)).body).toMatchObject({ message: 'The board creator turned off invite links.' })
    expect((await allow(ada, people, true)).status).toBe(200)
    expect((await join(eve, token)).status).toBe(404)
    expect((await join(eve, (await make(bob, people)).token)).status).toBe(200)
  })

  test('does not let in again who was removed after it was made, not even at that moment; a later one does', async () => {
    const people = await server.people()
    const { ada, eve } = people
    for (let round = 0; round < 12; round++) {
      const { token, id } = await make(ada, people)
      expect((await join(eve, token)).status).toBe(200)
      const calls = [() => remove(people, eve), () => join(eve, token), () => join(eve, token)]
      const answers = await Promise.all((round % 2 ? calls.toReversed() : calls).map((call) => call()))
      for (const { status } of answers) expect([200, 404]).toContain(status)
      expect(await isMember(eve, people)).toBe(false)
      expect(await join(eve, token)).toMatchObject({ status: 404, body: INVALID })
      expect((await eve.http('GET', `/api/invitations/${token}`)).status).toBe(404)
      await ada.api.invitations.revoke.mutate({ boardId: people.board.id, invitationId: id })
    }
  })
})

onEachDatabase('an invitation where no mail server is set up', (server) => {
  test('answers the link, which proves no address to who knows it', async () => {
    const people = await server.people()
    const { ada, board, person } = people
    const email = anyEmail()
    const { status, body } = await ada.http('POST', `/api/boards/${board.id}/members`, { email })
    expect([status, body]).toEqual([
      201,
      {
        invitation: {
          ...{ id: expect.any(Number), email, status: 'pending', expiresAt: expect.any(String) },
          link: expect.stringMatching(/\/invite\?token=[\w-]{43}$/),
        },
      },
    ])
    const { link } = (body as { invitation: { link: string } }).invitation
    const gus = await person('gus')
    await server.db.update(users).set({ email, emailVerifiedAt: null }).where(eq(users.id, gus.id))
    expect((await gus.http('POST', `/api/invitations/${new URL(link).searchParams.get('token')}/accept`)).status).toBe(200)
    expect(await gus.api.auth.me.query()).toMatchObject({ email, emailVerified: false })
  })
})
