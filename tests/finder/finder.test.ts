import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { finderTexts, tasks } from '../../src/db/tables'
import { actionsIn } from '../../src/finder/page/actions'
import { excerptOf } from '../../src/finder/server/store'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'

const titles = async (person: Person, text: string) =>
  (await person.api.finder.find.query({ text })).tasks.map(({ title }) => title)

onEachDatabase('the finder', (server) => {
  test('finds boards, tasks, comments and people, with what leads to them', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask('Dig the pond')
    const comment = await bob.api.comments.create.mutate({ taskId: task.id, content: 'Frogs need a pond, says Ada' })
    const onBoard = { id: board.id, name: 'Garden' }
    expect(await bob.api.finder.find.query({ text: 'pond' })).toEqual({
      boards: [],
      tasks: [{ id: task.id, title: 'Dig the pond', status: 'todo', board: onBoard, excerpt: null, tag: null }],
      comments: [
        {
          id: comment.id,
          task: { id: task.id, title: 'Dig the pond' },
          board: onBoard,
          user: { id: bob.id, username: 'bob', name: null, avatar: bob.user.avatar },
          excerpt: 'Frogs need a pond, says Ada',
        },
      ],
      people: [],
    })
    expect((await bob.api.finder.find.query({ text: 'gard' })).boards).toEqual([onBoard])
    expect((await bob.api.finder.find.query({ text: 'ad' })).people.map(({ id }) => id)).toEqual([ada.id])
    expect((await bob.http('GET', '/api/find?text=gard')).body).toMatchObject({ boards: [onBoard] })
  })

  test('finds nothing for a stranger, a removed member, and of what is deleted', async () => {
    const { ada, bob, eve, board, task } = await server.peopleWithTask('Dig the pond')
    await ada.api.comments.create.mutate({ taskId: task.id, content: 'A pond for frogs' })
    const all = async (person: Person) =>
      Promise.all(
        ['pond', 'pnod', 'frogs', 'garden', 'gadren', 'ada', 'aad'].map((text) => person.api.finder.find.query({ text })),
      )
    const nothing = Array(7).fill({ boards: [], tasks: [], comments: [], people: [] })
    expect(await all(eve)).toEqual(nothing)
    expect(await all(bob)).not.toEqual(nothing)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await all(bob)).toEqual(nothing)

    await ada.api.tasks.delete.mutate({ taskId: task.id })
    expect(await titles(ada, 'pond')).toEqual([])
    expect((await ada.api.finder.find.query({ text: 'frogs' })).comments).toEqual([])
    // Nor weighed, in the place of what is there.
    expect(await server.db.$count(finderTexts, eq(finderTexts.taskId, task.id))).toBe(0)
    await ada.api.tasks.restore.mutate({ taskId: task.id })
    expect(await titles(ada, 'pond')).toEqual(['Dig the pond'])
    expect((await ada.api.finder.find.query({ text: 'frogs' })).comments).toHaveLength(1)
    await ada.api.boards.delete.mutate({ boardId: board.id })
    expect(await all(ada)).toEqual(nothing)
    await ada.api.boards.restore.mutate({ boardId: board.id })
    expect(await titles(ada, 'pond')).toEqual(['Dig the pond'])
  })

  test('forgets deleted tasks by their keys, also on a connection that deleted when there were none', async () => {
    const { board, task } = await server.peopleWithTask()
    await server.db.delete(tasks).where(eq(tasks.id, task.id))
    await server.db.execute(sql`vacuum analyze finder_texts`)
    await server.db.transaction(async (tx) => {
      const scans = async () =>
        await tx.execute(sql`select seq_scan from pg_stat_xact_user_tables where relname = 'finder_texts'`)
      await tx.delete(tasks).where(eq(tasks.boardId, board.id))
      const before = await scans()
      const many = Array.from({ length: 50 }, (_, i) => ({ title: `Task ${i}`, position: `a${i}V`, boardId: board.id }))
      await tx.insert(tasks).values(many)
      await tx.delete(tasks).where(eq(tasks.boardId, board.id))
      expect(await scans()).toEqual(before)
      expect(await tx.$count(finderTexts)).toBe(0)
    })
  })

  test('finds letters written in parts by whole ones, and the reverse', async () => {
    const { ada, board, task } = await server.peopleWithTask('보고서 Größe'.normalize('NFD'))
    await ada.api.tasks.create.mutate({ boardId: board.id, title: '보고서 Größe 2' })
    await ada.api.comments.create.mutate({ taskId: task.id, content: 'hóa đơn'.normalize('NFD') })
    for (const form of ['NFC', 'NFD']) {
      const found = await titles(ada, '보고서 größe'.normalize(form))
      expect(found.map((title) => title.normalize('NFC')).toSorted()).toEqual(['보고서 Größe', '보고서 Größe 2'])
      const { comments } = await ada.api.finder.find.query({ text: 'hóa'.normalize(form) })
      expect(comments.map(({ excerpt }) => excerpt)).toEqual(['hóa đơn'.normalize('NFC')])
    }
  })

  test('nobody is found by an address, shown or hidden', async () => {
    const { ada, bob } = await server.people()
    await bob.api.users.update.mutate({ showEmail: false })
    for (const text of ['bob@example.com', 'example', 'example.com'])
      expect((await ada.api.finder.find.query({ text })).people.map(({ username }) => username)).not.toContain('ada')
    expect(JSON.stringify(await ada.api.finder.find.query({ text: 'bob' }))).not.toContain('@')
  })

  test('follows changes of titles, texts and tags, and forgets what was there', async () => {
    const { ada, task } = await server.peopleWithTask('Dig the pond')
    const { id: commentId } = await ada.api.comments.create.mutate({ taskId: task.id, content: 'Frogs' })
    const changes = { title: 'Sow a meadow', description: 'Clover and yarrow', tags: ['spring'] }
    await ada.api.tasks.update.mutate({ taskId: task.id, ...changes })
    await ada.api.comments.update.mutate({ commentId, content: 'Bees' })
    expect(await titles(ada, 'pond')).toEqual([])
    for (const text of ['mead', 'YARROW', 'spring', 'meadow clo']) expect(await titles(ada, text)).toEqual(['Sow a meadow'])
    const why = async (text: string) => {
      const { tag, excerpt } = (await ada.api.finder.find.query({ text })).tasks[0] ?? {}
      return { tag, excerpt }
    }
    expect(await why('clover')).toEqual({ tag: null, excerpt: 'Clover and yarrow' })
    expect(await why('spri')).toEqual({ tag: 'spring', excerpt: null })
    expect(await why('spring yarrow')).toEqual({ tag: 'spring', excerpt: 'Clover and yarrow' })
    expect((await ada.api.finder.find.query({ text: 'frogs' })).comments).toEqual([])
    expect((await ada.api.finder.find.query({ text: 'bees' })).comments).toHaveLength(1)
    await ada.api.comments.delete.mutate({ commentId })
    expect((await ada.api.finder.find.query({ text: 'bees' })).comments).toEqual([])
    await ada.api.tasks.update.mutate({ taskId: task.id, description: null })
    expect(await titles(ada, 'clover')).toEqual([])
    // As a cascade would, of whatever is on the board.
    await server.db.delete(tasks).where(eq(tasks.id, task.id))
    expect(await server.db.$count(finderTexts)).toBe(0)
  })

  test('what begins with the words comes before what has them, and that before what is like them', async () => {
    const { ada, board } = await server.people()
    const add = (title: string, description?: string) => ada.api.tasks.create.mutate({ boardId: board.id, title, description })
    await add('Print')
    await add('Print the catalogue')
    await add('Talk to the printers')
    await add('Choose paper', 'For the print')
    await add('A sprint')
    await add('The print run')
    await add('Something else')
    const all = ['Print the catalogue', 'Print', 'The print run', 'Talk to the printers', 'Choose paper']
    expect(await titles(ada, 'print')).toEqual(all)
    const both = ['The print run', 'Talk to the printers', 'Print the catalogue', 'Choose paper']
    expect((await titles(ada, 'the prin')).slice(0, 4)).toEqual(both)
  })

  test('an error in typing finds what was meant', async () => {
    const { ada, board } = await server.people()
    for (const title of ['Print the catalogue', 'Invoice for March', 'Naïve 日本語のタスク', 'Release C++ 🎉 build'])
      await ada.api.tasks.create.mutate({ boardId: board.id, title })
    for (const [text, title] of [
      ['catalouge', 'Print the catalogue'],
      ['pritn catalog', 'Print the catalogue'],
      ['invioce', 'Invoice for March'],
      ['voice', 'Invoice for March'],
      ['のタスク', 'Naïve 日本語のタスク'],
      ['日本', 'Naïve 日本語のタスク'],
      ['c++ 🎉', 'Release C++ 🎉 build'],
    ] as const)
      expect([text, (await titles(ada, text))[0]]).toEqual([text, title])
    expect((await ada.api.finder.find.query({ text: 'gardne' })).boards).toMatchObject([{ name: 'Garden' }])
    expect(await titles(ada, 'xylophone')).toEqual([])
  })

  test('one or two letters find a title in which words have no spaces between them', async () => {
    const { ada, board } = await server.people()
    for (const title of ['会議の資料を準備する', '修复登录页面的错误', '로그인페이지오류수정', 'แก้ไขหน้าเข้าสู่ระบบ'])
      await ada.api.tasks.create.mutate({ boardId: board.id, title })
    for (const text of ['資料', '準備', '会'])
      expect([text, ...(await titles(ada, text))]).toEqual([text, '会議の資料を準備する'])
    for (const text of ['登录', '错误', '页']) expect([text, ...(await titles(ada, text))]).toEqual([text, '修复登录页面的错误'])
    expect(await titles(ada, '오류')).toEqual(['로그인페이지오류수정'])
    expect(await titles(ada, 'หน้')).toEqual(['แก้ไขหน้าเข้าสู่ระบบ'])
  })

  test('whatever is typed is answered, or refused with a reason', async () => {
    const { ada } = await server.peopleWithTask("Dig & sow | rake ! (it's) done:* \\ 'x'")
    const texts = [
      ...["&|!():*'\\", "'", '\\', "dig' | 'sow", 'dig:*', '!dig', '<->', '#', '%', '_', '$1', "'; drop table tasks; --"],
      ...['\u200b', '\u200d\u2060', '🧑‍🌾', 'a\u0301', '\u202Edig', 'ß', 'İ', '١٢'],
      ...['x'.repeat(200), '字'.repeat(200), '🎉'.repeat(100), 'a b c d e f g h i j k l m n o p q r s t u v w x y z'],
      ...['-5', '1e5', 'http://a.b/c?d=e#f', 'a@b.c', '<b>dig</b>', '&amp;'],
    ]
    for (const text of texts) {
      const { status } = await ada.http('GET', `/api/find?text=${encodeURIComponent(text)}`)
      expect([text, status]).toEqual([text, 200])
    }
    const long = [201, 10_000].map((length) => `?text=${'x'.repeat(length)}`)
    for (const query of ['', '?text=', '?text=%20', '?text=%00', '?text=%ED%A0%80x', ...long]) {
      const { status, body } = await ada.http('GET', `/api/find${query}`)
      expect([query.slice(0, 20), status === 400 || query.includes('%ED')]).toEqual([query.slice(0, 20), true])
      if (status === 400) expect(body).toMatchObject({ code: 'BAD_REQUEST' })
    }
    for (const text of ['dig sow', "it's", 'rake done', '(sow']) expect(await titles(ada, text)).toHaveLength(1)
  })

  test('any text can be stored, and its words are found up to where they are kept', async () => {
    const { ada, board } = await server.people()
    const long = 'w'.repeat(20_000)
    const many = Array.from({ length: 4_000 }, (_, n) => `n${n}`)
      .join(' ')
      .slice(0, 20_000)
    const { id: taskId } = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Long', description: long })
    await ada.api.tasks.update.mutate({ taskId, description: many })
    await ada.api.comments.create.mutate({ taskId, content: `${'é'.repeat(900)} 'quoted' \\slash` })
    expect(await titles(ada, 'n149')).toEqual(['Long'])
    expect(await titles(ada, 'n150')).toEqual([])
    for (const text of ['quoted', 'slash', 'é'.repeat(60)])
      expect([text, (await ada.api.finder.find.query({ text })).comments.length]).toEqual([text, 1])
  })
})

describe('an action on a board or task', () => {
  test('is named by the first words, and the rest says on which', () => {
    for (const [typed, kinds, rest] of [
      ['start stand', ['timer'], 'stand'],
      ['new task aut', ['task'], 'aut'],
      ['logs spring', ['logs'], 'spring'],
      ['inv', ['invite'], ''],
      ['in', ['invite'], ''],
      ['st pancras', [], ''],
      ['on the roof', [], ''],
      ['to do', [], ''],
      ['paper', [], ''],
      ['🎉', [], ''],
    ] as const)
      expect([typed, actionsIn(typed)]).toEqual([typed, { kinds: [...kinds], rest }])
  })
})

describe('an excerpt', () => {
  test('shows the place that was looked for, cut between words', () => {
    expect(excerptOf('Short\n\ntext', 'text')).toBe('Short text')
    const text = `${'before '.repeat(60)}needle ${'after '.repeat(60)}`
    expect(excerptOf(text, 'Needle')).toMatch(/^…before .*needle after .*…$/)
    expect([...excerptOf('🎉'.repeat(400), '🎉')]).toHaveLength(141)
  })

  test('shows the place also where no space is before it, or letters are written in parts', () => {
    const chinese = `${'设计文档需要在下周之前完成'.repeat(12)}发票${'然后继续'.repeat(60)}`
    expect(excerptOf(chinese, '发票')).toMatch(/^….{40}发票.*…$/)
    const address = `See https://a.example/${'x/'.repeat(90)}bill and more words`
    expect(excerptOf(address, 'bill')).toMatch(/^….{40}bill and more words$/)
    const inParts = `${'Tiếng Việt '.repeat(30)}hóa đơn`.normalize('NFD')
    expect(excerptOf(inParts, 'hóa')).toMatch(/hóa đơn$/)
    expect(excerptOf(`${'🎉'.repeat(150)}tea`, 'tea')).toBe(`…${'🎉'.repeat(40)}tea`)
  })

  test('has the words without their marks', () => {
    expect(excerptOf('# Tea\n\n- [ ] **buy** [it](https://a.example)\n- `now`\n\n> a | b', 'now')).toBe('Tea buy it now a | b')
  })
})
