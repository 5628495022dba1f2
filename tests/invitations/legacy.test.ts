import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { boardInvitations } from '../../src/db/tables'
import { onEachDatabase, type Server } from '../support/databases'
import { mailbox } from '../support/mail'
import type { People, Person } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())

const INVALID = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }

const legacy = (server: Server) => {
  const info = (who: Pick<Person, 'http'>, boardId: number | string) => who.http('GET', `/api/boards/${boardId}/info`)
  const join = (who: Pick<Person, 'http'>, boardId: number | string) => who.http('POST', `/api/boards/${boardId}/join`)
  const invited = async ({ ada, board }: People, email: string) =>
    expect((await ada.http('POST', `/api/boards/${board.id}/members`, { email })).status).toBe(201)

  test('tell the name while somebody is invited, and to members always', async () => {
    const people = await server.people()
    const { bob, eve, nobody, board } = people
    const gone = { message: 'The board you were invited to does not exist or has been deleted.', code: 'NOT_FOUND' }
    for (const who of [eve, nobody]) expect(await info(who, board.id)).toMatchObject({ status: 404, body: gone })
    expect(await info(bob, board.id)).toMatchObject({ status: 200, body: { id: board.id, name: 'Garden' } })
    await invited(people, 'hal@example.com')
    for (const who of [eve, nobody]) expect((await info(who, board.id)).body).toEqual({ id: board.id, name: 'Garden' })
    await server.db.update(boardInvitations).set({ expiresAt: sql`now()` })
    for (const who of [eve, nobody]) expect((await info(who, board.id)).status).toBe(404)
    expect((await info(nobody, board.id + 1)).status).toBe(404)
  })

  test('let in whose address is invited, once; a guessed number lets nobody in', async () => {
    const people = await server.people()
    const { ada, eve, nobody, person, board } = people
    await invited(people, 'hal@example.com')
    expect((await join(nobody, board.id)).status).toBe(401)
    expect(await join(eve, board.id)).toMatchObject({ status: 404, body: INVALID })
    const hal = await person('hal')
    expect(await join(hal, board.id)).toMatchObject({ status: 200, body: { success: true, board: { name: 'Garden' } } })
    expect((await ada.api.boards.get.query({ boardId: board.id })).memberCount).toBe(3)
    expect(await server.db.select().from(boardInvitations)).toMatchObject([{ status: 'accepted', acceptedBy: hal.id }])
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: hal.id })
    expect((await join(hal, board.id)).status).toBe(404)
  })

  test('change nothing for a member, invited or not', async () => {
    const people = await server.people()
    const { ada, bob, board } = people
    const { version } = await ada.api.boards.get.query({ boardId: board.id })
    for (const who of [ada, bob]) expect(await join(who, board.id)).toMatchObject({ status: 200, body: { success: true } })
    expect((await ada.api.boards.get.query({ boardId: board.id })).version).toBe(version)
  })

  test('let nobody in by an invitation to another board, nor by one that expired or was revoked', async () => {
    const people = await server.people()
    const { ada, eve, person, board } = people
    const other = await eve.api.boards.create.mutate({ name: 'Eves' })
    await invited(people, 'ida@example.com')
    const ida = await person('ida')
    expect((await join(ida, other.id)).status).toBe(404)
    await server.db.update(boardInvitations).set({ expiresAt: sql`now()` })
    expect((await join(ida, board.id)).status).toBe(404)
    await server.db.update(boardInvitations).set({ expiresAt: sql`now() + interval '1 day'` })
    const [open] = await ada.api.invitations.list.query({ boardId: board.id })
    await ada.api.invitations.revoke.mutate({ boardId: board.id, invitationId: open?.id ?? 0 })
    expect((await join(ida, board.id)).status).toBe(404)
    for (const odd of ['x', '0', '-1', '99999999999', '1.5']) {
      expect((await join(ida, odd)).status).toBe(400)
      expect((await info(ida, odd)).status).toBe(400)
    }
  })
}
onEachDatabase('links that only name a board', legacy, { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>' })
