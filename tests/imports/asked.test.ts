import { afterAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import type { BoardRow, BoardTable } from '../../src/archive/schema'
import { nameOffers, users } from '../../src/db/tables'
import { OFFERED_NAMES_MAX, PEOPLE_MAX } from '../../src/imports/schema'
import { sentence } from '../../src/notifications/sentences'
import { onServer } from '../support/databases'
import { AT, archiveOf, boardOf, tablesOf, uploaded } from '../support/imports'
import type { Person } from '../support/people'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
afterAll(folder.remove)

type Rows = { [Table in BoardTable]: BoardRow<Table>[] }

const work = { task: 1, startTime: AT, endTime: null, day: '2026-01-05', timeZone: 'UTC', note: null }

onServer(
  'whoever is asked about names',
  (server) => {
    async function imported(tables = tablesOf()) {
      const people = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, people.ada.id))
      const upload = await uploaded(people.ada, await archiveOf(tables))
      const boardId = await boardOf(people.ada, upload)
      await people.ada.api.boards.addMember.mutate({ boardId, username: 'bob' })
      return { ...people, boardId, preview: upload.preview }
    }
    const nameIds = async (boardId: number) =>
      (await server.db.select({ id: users.id }).from(users).where(eq(users.importedOn, boardId)).orderBy(users.id)).map(
        ({ id }) => id,
      )
    const askedOf = async (person: Person, boardId: number) =>
      (await person.api.imports.names.query({ boardId })).filter(({ asked }) =>
        asked.some(({ userId, answer }) => userId === person.id && answer === null),
      )
    const refused = (code: string) => ({ data: { code } })

    test('is asked once on a board, however many names of its file have their address', async () => {
      const others = Array.from({ length: 900 }, (_, n) => ({
        ...{ id: n + 4, name: `Bob ${n}`, email: n % 2 ? 'bob@example.com' : 'BOB@example.com', member: n % 3 === 0 },
      }))
      const { people, comments, rates, assignees } = tablesOf() as Rows
      const many = tablesOf({
        people: [...people, ...others],
        comments: [...comments, ...others.map(({ id, name }) => ({ task: 2, person: id, content: name, createdAt: AT }))],
        rates: [...rates, ...others.map(({ id }) => ({ person: id, from: '2026-01-04', cents: id }))],
        assignees: [...assignees, ...others.map(({ id }) => ({ task: 2, person: id }))],
      })
      const { ada, bob, boardId, preview } = await imported(many)
      expect(preview.people).toMatchObject([{ name: 'Ada' }, { name: 'Robert', rows: 2_707 }, { name: 'Carl' }])
      expect(preview.losses.map(({ what, count, examples }) => [what, count, examples[0]])).toEqual([
        ['extra hourly rates for the same person and day: left out', 899, '2026-01-04 0.05'],
        ['people with the same email: now one person', 900, 'Bob 0 → Robert'],
      ])
      const asked = await askedOf(bob, boardId)
      expect(asked).toMatchObject([{ user: { name: 'Robert' }, work: { tasks: 2, comments: 901, minutes: 45 } }])
      const [nameId = 0] = await nameIds(boardId)
      const again = async () =>
        server.db.execute(sql`insert into users (username, email, imported_on, imported_email, disabled_at)
        values ('Name-0000000000000000', 'Name-0@imported.invalid', ${boardId}, 'bob@example.com', now())`)
      await expect(again()).rejects.toMatchObject({ cause: { constraint: 'users_names_of_board' } })
      await bob.api.imports.answerName.mutate({ boardId, nameId, isMine: true })
      const [plant] = await ada.tasks(boardId)
      expect(plant?.assignees.filter(({ id }) => id === bob.id).length).toBe(1)
      expect((await ada.api.time.rates.query({ boardId })).map(({ cents }) => cents)).toEqual([9_000, 9_500, 4])
      expect(await nameIds(boardId)).toHaveLength(1)
    })

    test('is no name’s first with an address where the importer has it', async () => {
      const twice = [1, 2].map((id) => ({ id, name: `Ada ${id}`, email: 'ada@example.com', member: true }))
      const comments = [1, 2].map((person) => ({ task: 1, person, content: 'Mine', createdAt: AT }))
      const none = { assignees: [], attachments: [], entries: [], rates: [], activities: [] }
      const { ada, boardId } = await imported(tablesOf({ ...none, people: twice, comments, tasks: tablesOf().tasks }))
      const [plant] = await ada.tasks(boardId)
      const said = await ada.api.comments.list.query({ taskId: plant?.id ?? 0 })
      expect(said.map(({ userId }) => userId)).toEqual([ada.id, ada.id])
      expect(await nameIds(boardId)).toEqual([])
    })

    test('says in one call that none is theirs, and is asked about none of them again, even by hand', async () => {
      const { ada, bob, eve, boardId } = await imported()
      const [robert = 0, carl = 0] = await nameIds(boardId)
      await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
      const decline = (by: Person, names: number[]) => by.api.imports.declineNames.mutate({ boardId, nameIds: names })
      await ada.api.imports.offerName.mutate({ boardId, nameId: carl, userId: bob.id })
      expect(await askedOf(bob, boardId)).toHaveLength(2)
      await expect(decline(eve, [robert, carl])).rejects.toMatchObject(refused('NOT_FOUND'))
      await expect(decline(bob, [bob.id, 9_999])).rejects.toMatchObject(refused('NOT_FOUND'))
      for (const odd of [[], [0], [1.5], Array(PEOPLE_MAX + 1).fill(robert)])
        await expect(decline(bob, odd)).rejects.toMatchObject(refused('BAD_REQUEST'))
      const path = `/api/boards/${boardId}/imported-names/decline`
      expect((await bob.http('POST', path, { nameIds: [robert, robert, carl, 9_999] })).status).toBe(200)
      await decline(bob, [robert, carl])
      expect(await askedOf(bob, boardId)).toEqual([])
      const again = (nameId: number) => ada.api.imports.offerName.mutate({ boardId, nameId, userId: bob.id })
      const message = 'This person said that this name is not theirs, so they cannot be asked again.'
      for (const nameId of [robert, carl]) await expect(again(nameId)).rejects.toMatchObject({ message, ...refused('CONFLICT') })
      expect(await askedOf(bob, boardId)).toEqual([])
      await ada.api.imports.offerName.mutate({ boardId, nameId: carl, userId: eve.id })
      await expect(again(carl)).rejects.toMatchObject({ message })
      expect(await askedOf(eve, boardId)).toMatchObject([{ user: { name: 'Carl' }, work: { tasks: 1, comments: 0, minutes: 0 } }])
      await server.db.update(nameOffers).set({ answer: 'yes' }).where(eq(nameOffers.userId, eve.id))
      await expect(decline(eve, [carl])).rejects.toMatchObject(refused('CONFLICT'))
      expect(await server.db.$count(nameOffers, eq(nameOffers.answer, 'no'))).toBe(2)
    })

    test('and says no is told of to the board’s creator, once, and as one whatever the number of names', async () => {
      const { people, comments } = tablesOf() as Rows
      const more = ['Dora', 'Emil', 'Fay'].map((name, n) => ({ id: n + 4, name, email: null, member: true }))
      const said = more.map(({ id, name }) => ({ task: 2, person: id, content: name, createdAt: AT }))
      const tables = tablesOf({ people: [...people, ...more], comments: [...comments, ...said] })
      const { ada, bob, boardId } = await imported(tables)
      const [robert = 0, ...others] = await nameIds(boardId)
      for (const nameId of others) await ada.api.imports.offerName.mutate({ boardId, nameId, userId: bob.id })
      const socket = await ada.socket()
      const no = () => bob.api.imports.answerName.mutate({ boardId, nameId: robert, isMine: false })
      await no()
      await no()
      await bob.api.imports.declineNames.mutate({ boardId, nameIds: [robert, ...others] })
      const { notification } = await socket.next('notification_added')
      expect(notification).toMatchObject({
        kind: 'name_declined',
        actor: { id: bob.id },
        board: { id: boardId },
        detail: 'Robert',
      })
      const inbox = async (of: Person) => (await of.api.notifications.list.query({})).notifications.map(sentence)
      expect(await inbox(ada)).toEqual([
        'bob said that the imported work by Carl, Dora, Emil and 1 more on the board “Orchard” is not theirs',
        'bob said that the imported work by Robert on the board “Orchard” is not theirs',
      ])
      await ada.api.imports.offerName.mutate({ boardId, nameId: robert, userId: ada.id })
      await ada.api.imports.answerName.mutate({ boardId, nameId: robert, isMine: false })
      expect((await inbox(ada)).length).toBe(2)
      expect((await inbox(bob)).length).toBe(1)
    })

    test('is asked by hand about a hundred names at a time', async () => {
      const { people, comments } = tablesOf() as Rows
      const more = Array.from({ length: OFFERED_NAMES_MAX }, (_, n) => ({
        id: n + 4,
        name: `Name ${n}`,
        email: null,
        member: true,
      }))
      const said = more.map(({ id, name }) => ({ task: 2, person: id, content: name, createdAt: AT }))
      const tables = tablesOf({ people: [...people, ...more], comments: [...comments, ...said] })
      const { ada, bob, eve, boardId } = await imported(tables)
      await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
      const [, carl = 0, ...others] = await nameIds(boardId)
      const offer = (nameId: number, userId: number | null) => ada.api.imports.offerName.mutate({ boardId, nameId, userId })
      for (const nameId of others.slice(1)) await offer(nameId, bob.id)
      const [last = 0] = others
      const both = await Promise.allSettled([offer(last, bob.id), offer(carl, bob.id)])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const [refusedOne = 0, askedOne = 0] = both[0]?.status === 'rejected' ? [last, carl] : [carl, last]
      const message = `This person has already been asked about ${OFFERED_NAMES_MAX} names on this board. Wait for their answers first.`
      await expect(offer(refusedOne, bob.id)).rejects.toMatchObject({ message, data: { code: 'CONFLICT' } })
      await offer(refusedOne, eve.id)
      await offer(askedOne, bob.id)
      await offer(askedOne, null)
      await offer(refusedOne, bob.id)
      expect((await askedOf(bob, boardId)).length).toBe(OFFERED_NAMES_MAX + 1)
    })

    test('has said yes or no, whatever they say at the same moment', async () => {
      for (let round = 0; round < 6; round++) {
        await server.clear()
        const { bob, boardId } = await imported()
        const [robert = 0] = await nameIds(boardId)
        const calls = [
          () => bob.api.imports.answerName.mutate({ boardId, nameId: robert, isMine: true }),
          () => bob.api.imports.declineNames.mutate({ boardId, nameIds: [robert] }),
          () => bob.api.imports.declineNames.mutate({ boardId, nameIds: [robert] }),
        ]
        const ordered = round % 2 ? calls : calls.toReversed()
        const answers = await Promise.allSettled(ordered.map((call) => call()))
        const [yes] = round % 2 ? answers : answers.toReversed()
        expect(yes?.status).toBe('fulfilled')
        expect(await nameIds(boardId)).not.toContain(robert)
        expect(await server.db.$count(nameOffers)).toBe(0)
      }
    })

    test('sees how much it is about, without what is deleted, and of very much that it is so', async () => {
      const entries = Array.from({ length: 1_100 }, () => ({ ...work, person: 2, minutes: 2, billable: true, createdAt: null }))
      const { ada, bob, boardId } = await imported(tablesOf({ entries }))
      const workOf = async () => (await askedOf(bob, boardId)).map((one) => one.work)
      expect(await workOf()).toEqual([{ tasks: 2, comments: 1, minutes: 2_200 }])
      const [robert = 0] = await nameIds(boardId)
      const [plant] = await ada.tasks(boardId)
      const taskId = plant?.id ?? 0
      await server.db.execute(
        sql`insert into comments (task_id, user_id, content) select ${taskId}, ${robert}, n::text from generate_series(1, 1100) n`,
      )
      expect(await workOf()).toEqual([{ tasks: 2, comments: 1_000, minutes: 2_200 }])
      await ada.api.tasks.delete.mutate({ taskId })
      expect(await workOf()).toEqual([{ tasks: 1, comments: 0, minutes: 0 }])
      const creators = await ada.api.imports.names.query({ boardId })
      expect(creators.map((one) => one.work)).toEqual([null, null])
      expect(await server.db.$count(users, and(eq(users.importedOn, boardId), eq(users.id, robert)))).toBe(1)
    })
  },
  { DATA_DIR: folder.path },
)
