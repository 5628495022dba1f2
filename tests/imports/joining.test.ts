import { afterAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { boards, comments, nameOffers, users } from '../../src/db/tables'
import { onServer } from '../support/databases'
import { AT, archiveOf, boardOf, tablesOf, uploaded } from '../support/imports'
import { mailbox } from '../support/mail'
import { PASSWORD, type Person, withoutProof } from '../support/people'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
afterAll(folder.remove)
const box = await mailbox()
afterAll(box.stop)

onServer(
  'whoever is on a board with their name on it',
  (server) => {
    async function imported(tables = tablesOf()) {
      const people = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, people.ada.id))
      const boardId = await boardOf(people.ada, await uploaded(people.ada, await archiveOf(tables)))
      return { ...people, boardId }
    }
    const namesLeft = async (boardId: number) =>
      (await server.db.select().from(users).where(eq(users.importedOn, boardId)).orderBy(users.id)).map(({ name }) => name)

    const nameOn = async (boardId: number, name: string) => {
      const found = and(eq(users.importedOn, boardId), eq(users.name, name))
      const [row] = await server.db.select({ id: users.id }).from(users).where(found)
      return { boardId, nameId: row?.id ?? 0 }
    }
    /** Names about which somebody is asked. */
    const asked = async (person: Person, boardId: number) =>
      (await person.api.imports.names.query({ boardId })).flatMap(({ user, asked }) =>
        asked.some(({ userId, answer }) => userId === person.id && answer === null) ? [user.name] : [],
      )
    const refused = (code: string) => ({ data: { code } })
    const left = ['Robert', 'Carl']

    /** The token of Bob's next invitation that was mailed. */
    async function invited() {
      const isSought = ({ link = '' }: { link?: string | undefined }) => link.includes('/invite?token=')
      const { link = '' } = await box.next('bob@example.com', isSought)
      return new URL(link).searchParams.get('token') ?? ''
    }

    async function assertBobs(boardId: number, ada: Person, bob: Person) {
      const board = await ada.api.boards.get.query({ boardId })
      expect(board.members.map(({ username }) => username)).toContain('bob')
      expect(await namesLeft(boardId)).toEqual(['Carl'])
      const tasks = await ada.tasks(boardId)
      const [plant] = tasks
      expect(plant?.assignees.map(({ name, username }) => name ?? username).toSorted()).toEqual(['Carl', 'bob'])
      expect(tasks.find(({ title }) => title === 'Prune')?.createdBy).toBe(bob.id)
      const comments = await ada.api.comments.list.query({ taskId: plant?.id ?? 0 })
      expect(comments.map(({ userId }) => userId)).toEqual([bob.id, ada.id])
      const [file] = await ada.api.attachments.list.query({ taskId: plant?.id ?? 0 })
      expect(file?.userId).toBe(bob.id)
      const { activities } = await ada.api.activity.board.query({ boardId })
      expect(activities.find(({ kind }) => kind === 'assigned')?.whom?.id).toBe(bob.id)
      expect(await ada.api.time.rates.query({ boardId })).toMatchObject([{ user: { id: bob.id } }, { user: { id: bob.id } }])
      expect(await ada.api.time.report.query({ boardId })).toMatchObject({ minutes: 75, cents: 7_125 })
    }

    test('is asked, however they came, and has nothing of it before they say yes', async () => {
      const { ada, bob, eve, boardId } = await imported()
      const robert = await nameOn(boardId, 'Robert')
      await withoutProof(server.db, bob)
      await ada.api.boards.addMember.mutate({ boardId, username: 'bob' })
      expect(await asked(bob, boardId)).toEqual([])
      await expect(bob.api.imports.answerName.mutate({ ...robert, isMine: true })).rejects.toMatchObject(refused('NOT_FOUND'))
      const proof = await createLink(server.db, 'bob@example.com', 'confirm')
      expect((await bob.http('GET', `/api/auth/verify?token=${proof}`)).status).toBe(200)
      expect([await asked(bob, boardId), await namesLeft(boardId)]).toEqual([['Robert'], left])
      await bob.api.boards.removeMember.mutate({ boardId, userId: bob.id })
      await expect(bob.api.imports.answerName.mutate({ ...robert, isMine: true })).rejects.toMatchObject(refused('NOT_FOUND'))
      await withoutProof(server.db, bob)
      await ada.api.boards.addMember.mutate({ boardId, email: 'bob@example.com' })
      await bob.api.invitations.accept.mutate({ token: await invited() })
      expect([await asked(bob, boardId), await namesLeft(boardId)]).toEqual([['Robert'], left])
      await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
      expect([await asked(eve, boardId), await asked(ada, boardId)]).toEqual([[], []])
      for (const { api } of [eve, ada])
        await expect(api.imports.answerName.mutate({ ...robert, isMine: true })).rejects.toMatchObject(refused('NOT_FOUND'))
      const socket = await eve.socket({ id: boardId })
      const bobs = await bob.socket()
      const { version } = await ada.api.boards.get.query({ boardId })
      await bob.api.imports.answerName.mutate({ ...robert, isMine: true })
      // The version between is never told, so that open pages read again.
      const heard = await socket.next('user_profile_updated')
      expect(heard).toMatchObject({ boardId, version: version + 2, by: bob.id, user: { username: 'bob' } })
      expect(await bobs.next('rate_changed')).toEqual({ boardId })
      await assertBobs(boardId, ada, bob)
      const { activities } = await ada.api.activity.board.query({ boardId })
      expect(activities[0]).toMatchObject({ kind: 'name_accepted', user: { id: bob.id } })
    })

    test('is not asked again after a no, and may think better of it', async () => {
      const { ada, bob, boardId } = await imported()
      const robert = await nameOn(boardId, 'Robert')
      await ada.api.boards.addMember.mutate({ boardId, username: 'bob' })
      const socket = await ada.socket()
      await bob.api.imports.answerName.mutate({ ...robert, isMine: false })
      expect(await socket.next('names_changed')).toEqual({ boardId })
      const again = ada.api.imports.offerName.mutate({ ...robert, userId: bob.id })
      await expect(again).rejects.toMatchObject(refused('CONFLICT'))
      expect([await asked(bob, boardId), await namesLeft(boardId)]).toEqual([[], left])
      const { body } = await bob.http('GET', '/api/account/data')
      expect(body).toMatchObject({ importedNames: [{ boardId, name: 'Robert', answer: 'no' }] })
      const [known] = await ada.api.imports.names.query({ boardId })
      expect(known).toMatchObject({ email: 'bob@example.com', asked: [{ userId: bob.id, offered: false, answer: 'no' }] })
      await bob.api.imports.answerName.mutate({ ...robert, isMine: true })
      await assertBobs(boardId, ada, bob)
    })

    test('is asked about a name without an address where the creator says so, who can have somebody else asked', async () => {
      const { ada, bob, eve, person, boardId } = await imported()
      const carl = await nameOn(boardId, 'Carl')
      const { nameId } = await nameOn(boardId, 'Robert')
      const offer = (by: Person, userId: number | null) => by.api.imports.offerName.mutate({ ...carl, userId })
      const answer = (by: Person) => by.api.imports.answerName.mutate({ ...carl, isMine: true })
      await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
      const socket = await eve.socket()
      await expect(offer(bob, bob.id)).rejects.toMatchObject(refused('NOT_FOUND'))
      await expect(offer(eve, eve.id)).rejects.toMatchObject(refused('FORBIDDEN'))
      for (const id of [bob.id, nameId, 9_999]) await expect(offer(ada, id)).rejects.toMatchObject(refused('BAD_REQUEST'))
      const elsewhere = ada.api.imports.offerName.mutate({ boardId, nameId: bob.id, userId: eve.id })
      await expect(elsewhere).rejects.toMatchObject(refused('NOT_FOUND'))
      await offer(ada, eve.id)
      expect(await socket.next('names_changed')).toEqual({ boardId })
      expect(await asked(eve, boardId)).toEqual(['Carl'])
      expect(await eve.api.imports.names.query({ boardId })).toMatchObject([{ user: { name: 'Carl' }, email: null }])
      await eve.api.imports.answerName.mutate({ ...carl, isMine: false })
      const dan = await person('dan')
      await ada.api.boards.addMember.mutate({ boardId, username: 'dan' })
      await offer(ada, dan.id)
      await expect(answer(eve)).rejects.toMatchObject(refused('NOT_FOUND'))
      await offer(ada, null)
      await expect(answer(dan)).rejects.toMatchObject(refused('NOT_FOUND'))
      await offer(ada, dan.id)
      await answer(dan)
      expect(await namesLeft(boardId)).toEqual(['Robert'])
      const [plant] = await ada.tasks(boardId)
      expect(plant?.assignees.map(({ id }) => id)).toContain(dan.id)
      await expect(answer(dan)).rejects.toMatchObject(refused('NOT_FOUND'))
      await expect(offer(ada, eve.id)).rejects.toMatchObject(refused('NOT_FOUND'))
      expect(await server.db.$count(nameOffers)).toBe(0)
    })

    test('may say yes after a no, also where somebody else was asked since, unless that is open', async () => {
      const { ada, eve, person, boardId } = await imported()
      const carl = await nameOn(boardId, 'Carl')
      const offer = (userId: number | null) => ada.api.imports.offerName.mutate({ ...carl, userId })
      const answer = (by: Person, isMine: boolean) => by.api.imports.answerName.mutate({ ...carl, isMine })
      const answersOf = async (by: Person) =>
        (await by.api.imports.names.query({ boardId })).flatMap(({ asked }) =>
          asked.filter(({ userId }) => userId === by.id).map((one) => one.answer),
        )
      const dan = await person('dan')
      for (const username of ['eve', 'dan']) await ada.api.boards.addMember.mutate({ boardId, username })
      await offer(eve.id)
      await answer(eve, false)
      const ends = [
        () => answer(dan, false),
        () => offer(null),
        () => ada.api.boards.removeMember.mutate({ boardId, userId: dan.id }),
      ]
      for (const end of ends) {
        if (end !== ends[0]) await server.db.delete(nameOffers).where(eq(nameOffers.userId, dan.id))
        await offer(dan.id)
        await expect(answer(eve, true)).rejects.toMatchObject(refused('NOT_FOUND'))
        expect(await answersOf(eve)).toEqual([])
        const socket = await eve.socket()
        await end()
        if (end === ends[0]) expect(await socket.next('names_changed')).toEqual({ boardId })
        await expect(offer(eve.id)).rejects.toMatchObject(refused('CONFLICT'))
        expect(await answersOf(eve)).toEqual(['no'])
      }
      await answer(eve, true)
      expect(await namesLeft(boardId)).toEqual(['Robert'])
    })

    test('has what is more than others would wait for a little later, also where they left or the board was deleted', async () => {
      const { ada, bob, eve, boardId } = await imported()
      const robert = await nameOn(boardId, 'Robert')
      const task = sql`(select min(id) from tasks where board_id = ${boardId})`
      await server.db.execute(
        sql`insert into comments (task_id, user_id, content) select ${task}, ${robert.nameId}, n::text from generate_series(1, 2100) n`,
      )
      for (const username of ['bob', 'eve']) await ada.api.boards.addMember.mutate({ boardId, username })
      await ada.api.imports.offerName.mutate({ ...robert, userId: eve.id })
      await bob.api.imports.answerName.mutate({ ...robert, isMine: true })
      const isBobs = sql`user_id = ${bob.id} and task_id = ${task}`
      expect(await server.db.$count(comments, isBobs)).toBeLessThan(2_000)
      expect([await asked(eve, boardId), await namesLeft(boardId)]).toEqual([[], left])
      for (const isMine of [true, false])
        await expect(bob.api.imports.answerName.mutate({ ...robert, isMine })).rejects.toMatchObject(refused('CONFLICT'))
      await expect(ada.api.imports.offerName.mutate({ ...robert, userId: null })).rejects.toMatchObject(refused('CONFLICT'))
      // What cannot be given keeps nobody else's waiting: a person has one running timer.
      const { nameId } = await nameOn(boardId, 'Carl')
      await server.db.insert(nameOffers).values({ nameId, userId: eve.id, offered: true, answer: 'yes' })
      for (const id of [bob.id, robert.nameId])
        await server.db.execute(sql`
          insert into time_entries (task_id, user_id, board_id, start_time, day, duration_minutes, status, running_since)
          values (${task}, ${id}, ${boardId}, now(), current_date, 0, 'ACTIVE', now())`)
      await expect(server.clean()).rejects.toMatchObject({ cause: { constraint: 'time_entries_one_active' } })
      expect(await namesLeft(boardId)).toEqual(['Robert'])
      await server.db.execute(sql`delete from time_entries where status = 'ACTIVE'`)
      await ada.api.boards.removeMember.mutate({ boardId, userId: bob.id })
      await ada.api.boards.delete.mutate({ boardId })
      await server.clean()
      expect(await namesLeft(boardId)).toEqual(['Robert'])
      await ada.api.boards.restore.mutate({ boardId })
      const socket = await ada.socket({ id: boardId })
      await server.clean()
      await socket.next('user_profile_updated')
      expect(await server.db.$count(comments, isBobs)).toBe(2_101)
      expect(await namesLeft(boardId)).toEqual([])
    })

    test('keeps their own rates and assignments where a name had others, and sums stay right', async () => {
      const work = { task: 1, startTime: AT, endTime: null, timeZone: 'UTC', note: null, billable: true, createdAt: null }
      const entries = Array.from({ length: 1_100 }, (_, n) => ({
        ...work,
        day: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
        person: 1 + (n % 2),
        minutes: 1 + (n % 90),
      }))
      const { ada, bob, boardId } = await imported(tablesOf({ entries }))
      const [plant] = await ada.tasks(boardId)
      const taskId = plant?.id ?? 0
      await ada.api.boards.addMember.mutate({ boardId, username: 'bob' })
      await ada.api.time.setRate.mutate({ boardId, userId: bob.id, from: null, cents: 1_000 })
      await bob.api.time.create.mutate({ taskId, duration: 20 })
      await ada.api.tasks.assign.mutate({ taskId, userId: bob.id })
      const minutes = async () => (await ada.api.time.report.query({ boardId })).minutes
      const before = await minutes()
      await bob.api.imports.answerName.mutate({ ...(await nameOn(boardId, 'Robert')), isMine: true })
      expect(await namesLeft(boardId)).toEqual(['Carl'])
      expect(await minutes()).toBe(before)
      const rates = await ada.api.time.rates.query({ boardId })
      expect(rates.map(({ user, from, cents }) => [user.id, from, cents])).toEqual([
        [bob.id, null, 1_000],
        [bob.id, '2026-01-03', 9_500],
      ])
    })

    test('has it once or not at all, whatever else happens at the same moment', async () => {
      const comment = { task: 1, createdAt: AT, person: 3, content: 'Mine' }
      const tables = tablesOf({ comments: [comment] })
      const { ada, bob, eve, boardId } = await imported(tables)
      const archive = await archiveOf(tables)
      type Carl = { boardId: number; nameId: number }
      const others = [
        (carl: Carl) => eve.api.imports.answerName.mutate({ ...carl, isMine: true }),
        (carl: Carl) => ada.api.imports.offerName.mutate({ ...carl, userId: null }),
        (carl: Carl) => ada.api.imports.offerName.mutate({ ...carl, userId: eve.id }),
        (carl: Carl) => ada.api.boards.removeMember.mutate({ ...carl, userId: bob.id }),
        (carl: Carl) => ada.api.boards.removeMember.mutate({ ...carl, userId: carl.nameId }),
        (carl: Carl) => ada.api.boards.delete.mutate(carl),
        () => bob.api.account.delete.mutate({ password: PASSWORD }),
      ]
      for (const [round, other] of others.entries()) {
        const id = round === 0 ? boardId : await boardOf(ada, await uploaded(ada, archive))
        const carl = await nameOn(id, 'Carl')
        for (const username of ['bob', 'eve']) await ada.api.boards.addMember.mutate({ boardId: id, username })
        await ada.api.imports.offerName.mutate({ ...carl, userId: bob.id })
        if (round === 0) await server.db.update(users).set({ importedEmail: eve.user.email }).where(eq(users.id, carl.nameId))
        await Promise.allSettled([bob.api.imports.answerName.mutate({ ...carl, isMine: true }), other(carl)])
        const said = await server.db.select({ by: comments.userId }).from(comments).where(eq(comments.content, 'Mine'))
        const isCarls = (await namesLeft(id)).includes('Carl')
        expect(said.map(({ by }) => by === carl.nameId)).toEqual([isCarls])
        await server.db.delete(boards).where(eq(boards.id, id))
      }
    })
  },
  { DATA_DIR: folder.path, SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>' },
)
