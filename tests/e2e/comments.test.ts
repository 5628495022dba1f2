import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { comments } from '../../src/db/tables'
import { inChromium, type Site, sharedBoard } from '../support/chromium'
import { openQuick } from '../support/databases'
import { card, enter, hasFocus, heldBack, keys, leave, refuseCalls, shows, toast } from '../support/page'

const field = (page: Page) => page.getByRole('textbox', { name: 'New comment' })
const list = (page: Page) => page.getByRole('list', { name: 'Comments' })
const item = (page: Page, text: string) => list(page).getByRole('listitem').filter({ hasText: text })
const editor = (page: Page) => page.getByRole('textbox', { name: 'Edit comment' })
const send = (page: Page) => page.getByRole('button', { name: 'Send' })
/** Typing and sending; it is over when the field is empty again. */
async function write(page: Page, text: string) {
  await enter(field(page), text, 'Control+Enter')
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('[placeholder^="Write a comment"]')?.value === '')
}
const texts = (page: Page) => list(page).locator('li > div > [dir=auto]').allInnerTexts()

/** How often a page sends each type of message. */
function framesOf(page: Page) {
  const seen: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      seen.push(JSON.parse(String(payload)).type)
    }),
  )
  return (type: string) => seen.filter((one) => one === type).length
}

inChromium('comments', (site) => {
  /** A task that Ada has open, and Bob too unless told otherwise. */
  async function openTask(names: [string, string], options: Parameters<Site['open']>[1] = {}, { alone = false } = {}) {
    const [ada, bob] = await Promise.all([site.open('ada', options), site.open('bob')])
    const sent = framesOf(ada)
    const seenBy = alone ? [ada] : [ada, bob]
    const boardId = await sharedBoard(ada, bob, names, ['One'], seenBy)
    const taskId = Number(await card(ada, 'One').getAttribute('data-task'))
    await Promise.all(
      seenBy.map(async (page) => {
        await card(page, 'One').click()
        await field(page).waitFor()
      }),
    )
    return { ada, bob, boardId, taskId, sent, path: `/api/tasks/${taskId}/comments` }
  }

  test('are written, edited and deleted before the eyes of the others', async () => {
    const { ada, bob, taskId } = await openTask(['cara', 'cobi'])
    await ada.getByText('No comments yet').waitFor()
    await field(ada).fill('   ')
    expect(await send(ada).isDisabled()).toBe(true)
    await enter(field(ada), 'First line\n\n  second line (https://example.com/a?b=1), @cobi.')
    await send(ada).click()
    await item(bob, 'First line').waitFor()
    expect(await texts(bob)).toEqual(['First line\n\nsecond line (https://example.com/a?b=1), @cobi.'])
    const link = item(bob, 'First line').getByRole('link', { name: 'https' })
    expect(await link.getAttribute('href')).toBe('https://example.com/a?b=1')
    expect(await link.getAttribute('rel')).toContain('noopener')
    await hasFocus(field(ada))
    await item(bob, 'First line').getByText('just now').waitFor()
    expect(await item(bob, 'First line').getByRole('link', { name: 'Cara' }).first().getAttribute('href')).toBe('/cara')
    expect(await item(bob, 'First line').getByRole('button').count()).toBe(0)

    await write(bob, 'Answer')
    await item(ada, 'Answer').waitFor()
    expect((await texts(ada)).map((text) => text.slice(0, 10))).toEqual(['First line', 'Answer'])
    await item(ada, 'First line').hover()
    await ada.getByRole('button', { name: 'Edit comment' }).click()
    await enter(editor(ada), 'Better line', 'Control+Enter')
    await item(ada, 'Better line').waitFor()
    await toast(ada, 'Comment Updated')
    await item(bob, 'Better line').waitFor()

    await ada.getByRole('button', { name: 'Delete comment' }).click()
    await toast(ada, 'Comment Deleted')
    await item(bob, 'Better line').waitFor({ state: 'detached' })
    expect(await texts(bob)).toEqual(['Answer'])
    for (const page of [ada, bob]) {
      await page.getByRole('heading', { name: 'Comments 1' }).waitFor()
      await page.getByRole('button', { name: 'Close' }).last().click()
      await card(page, 'One').getByTitle('1 comment').waitFor()
    }
    // Nearly two days are not "yesterday", which may have been another day.
    const { db } = await openQuick()
    await db.update(comments).set({ createdAt: sql`now() - interval '44 hours'` }).where(eq(comments.taskId, taskId))
    await bob.reload()
    await card(bob, 'One').click()
    await item(bob, 'Answer').getByText('1 day ago').waitFor()
  })

  test('of one person in a row name them and the time once, exactly by the pointer', async () => {
    const { ada, bob, path } = await openTask(['carl', 'coco'])
    for (const content of ['One', 'Two']) await ada.request.post(path, { data: { content } })
    await write(bob, 'Three')
    await write(ada, 'Four')
    const named = async (page: Page) => [
      await list(page).getByRole('link').allTextContents(),
      await list(page).locator('time').allTextContents(),
    ]
    for (const page of [ada, bob]) {
      for (const text of ['One', 'Two', 'Three', 'Four']) await item(page, text).waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-label=Comments]')?.textContent?.includes('Not sent yet'))
      expect(await named(page)).toEqual([
        ['Carl', 'Coco', 'Carl'],
        // The fourth is for screen readers.
        ['just now', 'just now', 'just now', 'just now'],
      ])
    }
    const exactly = /^\w+ \d+, \d{4}, \d+:\d\d/
    expect(await item(ada, 'One').locator('time').getAttribute('title')).toMatch(exactly)
    expect(await item(ada, 'Two').getAttribute('title')).toMatch(exactly)
    // After a while their next one says when.
    const { db } = await openQuick()
    await db.update(comments).set({ createdAt: sql`now() - interval '6 minutes'` }).where(eq(comments.content, 'One'))
    await ada.reload()
    await item(ada, 'One').getByText('6 minutes ago').waitFor()
    await item(ada, 'Two').getByText('just now').waitFor()
  })

  test('that are refused are undone, and what was typed is there again', async () => {
    const { ada } = await openTask(['dara', 'dobi'], {}, { alone: true })
    await write(ada, 'Mine')
    await refuseCalls(ada, 'comments.create', 'comments.update', 'comments.delete')
    await field(ada).fill('Not yet')
    await send(ada).click()
    await toast(ada, 'Comment Failed', 'Could not add your comment. Please try again.')
    expect([await field(ada).inputValue(), await texts(ada)]).toEqual(['Not yet', ['Mine']])

    await ada.getByRole('button', { name: 'Edit comment' }).click()
    await editor(ada).fill('Changed')
    await ada.getByRole('button', { name: 'Save' }).click()
    await toast(ada, 'Update Failed', 'Could not update your comment. Please try again.')
    expect(await editor(ada).inputValue()).toBe('Changed')
    await editor(ada).press('Escape')
    expect(await texts(ada)).toEqual(['Mine'])

    await ada.getByRole('button', { name: 'Delete comment' }).click()
    await toast(ada, 'Deletion Failed', 'Could not delete your comment. Please try again.')
    await item(ada, 'Mine').waitFor()
    await ada.getByRole('heading', { name: 'Comments 1' }).waitFor()

    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await ada.keyboard.press('Escape')
    await card(ada, 'One').getByTitle('1 comment').click()
    await write(ada, 'Not yet')
    await item(ada, 'Not yet').waitFor()
  })

  test('are not sent twice, and the server is not even asked', async () => {
    const { ada, bob, path } = await openTask(['elsa', 'egon'])
    let asked = 0
    await ada.route('**/trpc/comments.create*', (route) => {
      asked += 1
      return route.continue()
    })
    await write(ada, 'Twice')
    await field(ada).fill(' Twice ')
    // Blocked for a moment after each.
    expect(await send(ada).isDisabled()).toBe(true)
    await ada.keyboard.press('Control+Enter')
    await send(ada).and(ada.locator(':enabled')).waitFor()
    await send(ada).click()
    await toast(ada, 'Comment Already Sent', 'This exact comment was already submitted recently.')
    expect(asked).toBe(1)
    // What another page of one's sent, the server knows.
    expect((await ada.request.post(path, { data: { content: 'Elsewhere' } })).status()).toBe(201)
    await item(ada, 'Elsewhere').waitFor()
    await field(ada).fill('Elsewhere')
    await send(ada).click()
    await toast(ada, 'Comment Already Sent', 'This exact comment was already submitted recently.')
    expect([asked, await field(ada).inputValue()]).toEqual([2, 'Elsewhere'])
    expect(await texts(bob)).toEqual(['Twice', 'Elsewhere'])
  })

  test('that are half written outlive closing, a reload, a lost connection and the task', async () => {
    const { ada, bob, taskId } = await openTask(
      ['fara', 'fobi'],
      { permissions: ['clipboard-read', 'clipboard-write'] },
      { alone: true },
    )
    await write(ada, 'Mine')
    await field(ada).fill('half a thought')
    await ada.getByRole('button', { name: 'Edit comment' }).click()
    await editor(ada).fill('half an edit')
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await card(ada, 'One').click()
    expect([await field(ada).inputValue(), await editor(ada).inputValue()]).toEqual(['half a thought', 'half an edit'])
    await ada.reload()
    expect([await field(ada).inputValue(), await editor(ada).inputValue()]).toEqual(['half a thought', 'half an edit'])
    await editor(ada).press('Escape')
    await item(ada, 'Mine').waitFor()

    await ada.context().setOffline(true)
    await ada.getByRole('dialog').getByText('Reconnecting…').waitFor()
    await field(ada).fill('a whole thought')
    expect((await bob.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'Meanwhile' } })).status()).toBe(201)
    await ada.context().setOffline(false)
    await item(ada, 'Meanwhile').waitFor()
    expect(await field(ada).inputValue()).toBe('a whole thought')
    await bob.request.delete(`/api/tasks/${taskId}`).then(async (answer) => expect(answer.status()).toBe(403))
    await ada.request.delete(`/api/tasks/${taskId}`)
    await ada.getByRole('button', { name: 'Copy my text' }).click()
    await toast(ada, 'Copied')
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe('a whole thought')
  })

  test('that are half written can be copied where their task was deleted while one was offline', async () => {
    const { ada, taskId } = await openTask(
      ['fabia', 'flip'],
      { permissions: ['clipboard-read', 'clipboard-write'] },
      { alone: true },
    )
    await field(ada).fill('a whole thought')
    await ada.context().setOffline(true)
    await ada.getByRole('dialog').getByText('Reconnecting…').waitFor()
    expect((await ada.request.delete(`/api/tasks/${taskId}`)).status()).toBe(200)
    await ada.context().setOffline(false)
    await toast(ada, 'Task Deleted')
    await ada.getByRole('button', { name: 'Copy my text' }).click()
    await toast(ada, 'Copied')
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe('a whole thought')
    await shows(ada, 'To Do', [])
  })

  test('that are being changed as their task is deleted can be copied, too', async () => {
    const { ada, taskId, path } = await openTask(
      ['fiete', 'foto'],
      { permissions: ['clipboard-read', 'clipboard-write'] },
      { alone: true },
    )
    await ada.request.post(path, { data: { content: 'Short' } })
    await item(ada, 'Short').hover()
    await item(ada, 'Short').getByRole('button', { name: 'Edit comment' }).click()
    await ada.getByRole('textbox', { name: 'Edit comment' }).fill('Short no more')
    await ada.request.delete(`/api/tasks/${taskId}`)
    await toast(ada, 'Task Deleted')
    await ada.getByRole('button', { name: 'Copy my text' }).click()
    await toast(ada, 'Copied')
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe('Short no more')
  })

  test('that are being written as their task is deleted leave one on the board', async () => {
    const { ada, bob, boardId, taskId } = await openTask(['fenna', 'fips'])
    await field(bob).pressSequentially('half')
    await ada.getByText('is typing').waitFor()
    await ada.request.delete(`/api/tasks/${taskId}`)
    await bob.getByRole('button', { name: 'Copy my text' }).waitFor()
    // What the server said to the end of the typing has come before this.
    for (const title of ['Two', 'Three']) {
      await ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title } })
      await card(bob, title).click()
      await field(bob).pressSequentially('half')
      await bob.getByRole('button', { name: 'Close' }).last().click()
    }
    await shows(bob, 'To Do', ['Two', 'Three'])
    expect(await bob.getByText('Access Removed').count()).toBe(0)
  })

  test('can be copied by whoever is removed while they write, who is told why', async () => {
    const { ada, bob, boardId } = await openTask(['fred', 'fila'])
    await field(bob).fill('half')
    const { id } = await (await bob.request.get('/api/user')).json()
    expect((await ada.request.delete(`/api/boards/${boardId}/members/${id}`)).status()).toBe(200)
    await toast(bob, 'Not Saved', 'You no longer have access to this board. Copy your text to keep it.')
  })

  test('of others come in without moving what one writes', async () => {
    const { ada, bob } = await openTask(['gala', 'gobi'])
    await write(ada, 'Mine')
    await field(ada).fill('half a thought')
    const place = await field(ada).boundingBox()
    await write(bob, 'Theirs')
    await item(ada, 'Theirs').waitFor()
    expect(await field(ada).boundingBox()).toEqual(place)
    expect(await field(ada).inputValue()).toBe('half a thought')

    await item(ada, 'Mine').hover()
    await ada.getByRole('button', { name: 'Edit comment' }).click()
    await editor(ada).fill('Mine, bett')
    const edited = await editor(ada).boundingBox()
    await bob.request.post(`/api/tasks/${await taskOf(bob)}/comments`, { data: { content: 'Another' } })
    await ada.getByRole('heading', { name: 'Comments 3' }).waitFor()
    expect(await editor(ada).boundingBox()).toEqual(edited)
    await editor(ada).press('Control+Enter')
    await item(ada, 'Another').waitFor()
    expect(await texts(ada)).toEqual(['Mine, bett', 'Theirs', 'Another'])
  })

  test('cancelled or unchanged are not sent; actions are locked for a moment after each', async () => {
    const { ada } = await openTask(['hana', 'hugo'], {}, { alone: true })
    await write(ada, 'Mine for @hugo')
    let asked = 0
    await ada.route('**/trpc/comments.update*', (route) => {
      asked += 1
      return route.continue()
    })
    const edit = ada.getByRole('button', { name: 'Edit comment' })
    await field(ada).pressSequentially('@')
    await ada.keyboard.press('Escape')
    await edit.click()
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Mine for @hugo')
    expect(await ada.getByRole('listbox', { name: 'Members to mention' }).count()).toBe(0)
    await editor(ada).fill('Other')
    await ada.keyboard.press('Escape')
    expect(await texts(ada)).toEqual(['Mine for @hugo'])
    await hasFocus(edit)
    await ada.keyboard.press('Enter')
    await editor(ada).press('Control+Enter')
    await edit.click()
    await editor(ada).fill(' ')
    expect(await ada.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await ada.getByRole('button', { name: 'Cancel' }).click()
    expect(asked).toBe(0)
    await edit.click()
    await editor(ada).fill('Other')
    // What is looked at right after the key is the moment in which it is locked.
    const locked = await editor(ada).evaluate((area: HTMLTextAreaElement) => {
      area.form?.requestSubmit()
      return new Promise((resolve) =>
        requestAnimationFrame(() => {
          const button = document.querySelector<HTMLButtonElement>('[aria-label="Delete comment"]')
          button?.click()
          resolve(button?.getAttribute('aria-disabled'))
        }),
      )
    })
    expect(locked).toBe('true')
    await toast(ada, 'Comment Updated')
    expect([asked, await texts(ada)]).toEqual([1, ['Other']])
    await ada.locator('[aria-label="Delete comment"]:not([aria-disabled])').click()
    await ada.getByText('No comments yet').waitFor()
  })

  test('are sorted above 10, counted above 15, and shown 20 and then 50 more at a time', async () => {
    const { ada, bob, path } = await openTask(['ines', 'ivar'])
    // Nobody looks at Bob's page, which would draw each comment too.
    await bob.goto('about:blank')
    const post = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from + 1 }, (_, i) => bob.request.post(path, { data: { content: `No. ${from + i};` } })),
      )
    const sort = ada.getByRole('combobox', { name: 'Sort comments' })
    await post(1, 10)
    await ada.getByRole('heading', { name: 'Comments 10' }).waitFor()
    expect(await sort.count()).toBe(0)
    await post(11, 15)
    await sort.waitFor()
    await ada.getByRole('heading', { name: 'Comments 15' }).waitFor()
    expect(await ada.getByText('Showing').count()).toBe(0)
    await post(16, 72)
    // What comes while one looks hides nothing.
    await ada.getByText('Showing 72 of 72 comments').waitFor()
    await ada.reload()
    await ada.getByText('Showing 20 of 72 comments').waitFor()
    await bob.request.post(path, { data: { content: 'The last' } })
    await ada.getByText('Showing 21 of 73 comments').waitFor()
    expect((await texts(ada)).at(-1)).toBe('The last')
    const isInSight = () =>
      list(ada).evaluate(
        ({ scrollTop, scrollHeight, clientHeight }) =>
          scrollHeight > clientHeight && scrollTop + clientHeight > scrollHeight - 40,
      )
    expect(await isInSight()).toBe(true)
    await ada.getByRole('button', { name: 'Load more' }).click()
    await ada.getByText('Showing 71 of 73 comments').waitFor()
    expect((await texts(ada)).length).toBe(71)
    await ada.getByRole('button', { name: 'Load more' }).click()
    await ada.getByText('Showing 73 of 73 comments').waitFor()
    expect(await ada.getByRole('button', { name: 'Load more' }).count()).toBe(0)
    await sort.selectOption('Most Recent')
    expect((await texts(ada))[0]).toBe('The last')
    await write(ada, 'From far up')
    await item(ada, 'From far up').waitFor()
    expect((await texts(ada))[0]).toBe('From far up')
  })

  test('that are deleted out of sight hide none of those that are shown; what is restored there stays out of sight', async () => {
    const { ada, bob, path } = await openTask(['inga', 'ivo'], {}, { alone: true })
    const ids: number[] = []
    for (let nth = 1; nth <= 25; nth++)
      ids.push((await (await bob.request.post(path, { data: { content: `No. ${nth};` } })).json()).id)
    await ada.reload()
    await ada.getByText('Showing 20 of 25 comments').waitFor()
    await bob.request.delete(`/api/comments/${ids[1]}`)
    await ada.getByText('Showing 20 of 24 comments').waitFor()
    expect((await texts(ada))[0]).toBe('No. 6;')
    await bob.request.post(`/api/comments/${ids[1]}/restore`)
    await ada.getByText('Showing 20 of 25 comments').waitFor()
    // The first that is shown hides none of the others as it goes.
    await bob.request.delete(`/api/comments/${ids[5]}`)
    await ada.getByText('Showing 19 of 24 comments').waitFor()
    expect((await texts(ada))[0]).toBe('No. 7;')
    await ada.getByRole('button', { name: 'Load more' }).click()
    await ada.getByText('Showing 24 of 24 comments').waitFor()
    // Nor are any hidden again.
    await bob.request.delete(`/api/comments/${ids[0]}`)
    await ada.getByText('Showing 23 of 23 comments').waitFor()
    await bob.request.post(`/api/comments/${ids[0]}/restore`)
    await ada.getByText('Showing 24 of 24 comments').waitFor()
  })

  test('are not all drawn because one of one’s own was there before they were read', async () => {
    const { ada, bob, boardId, path } = await openTask(['isa', 'ivan'], {}, { alone: true })
    for (let nth = 1; nth <= 25; nth++) await bob.request.post(path, { data: { content: `No. ${nth};` } })
    await ada.goto('/')
    const read = await heldBack(ada, 'comments.list')
    await ada.route('**/trpc/comments.create*', (route) => route.abort())
    await ada.goto(`/board/${boardId}`)
    await card(ada, 'One').click()
    await write(ada, 'Mine')
    await item(ada, 'Mine').getByText('Not sent yet').waitFor()
    expect(await texts(ada)).toEqual(['Mine'])
    await read()
    await ada.getByText('Showing 21 of 26 comments').waitFor()
    await ada.unroute('**/trpc/comments.create*')
    await item(ada, 'Mine').getByText('just now').waitFor()
    await ada.getByText('Showing 21 of 26 comments').waitFor()
    const shown = await texts(ada)
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([21, 'No. 6;', 'Mine'])
  })

  test('that could not be read are asked for again by hand, and by themselves', async () => {
    const { ada, bob, boardId } = await openTask(['jana', 'jobi'])
    await write(bob, 'There')
    await ada.route('**/trpc/*comments.list*', (route) => route.fulfill({ status: 503, body: 'away' }))
    await ada.goto('/')
    await ada.goto(`/board/${boardId}`)
    await card(ada, 'One').click()
    await ada.getByText('The comments could not be loaded.').waitFor()
    expect(await ada.getByRole('list', { name: 'Notifications' }).getByRole('listitem').count()).toBe(0)
    // The page may ask for the files in the same breath.
    const asked = ada.waitForRequest('**/trpc/*comments.list*')
    await ada.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'Try again' }).click()
    await asked
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await item(ada, 'There').waitFor()
  })

  test('typing is told once for many letters, and over when one sends, rests or closes', async () => {
    const { ada, bob, sent } = await openTask(['kara', 'kobi'])
    const typing = bob.getByText('Kara is typing')
    await field(ada).pressSequentially('A rather long thought')
    await typing.waitFor()
    expect(sent('typing_started')).toBe(1)
    await ada.keyboard.press('Control+Enter')
    await item(bob, 'A rather long thought').waitFor()
    await typing.waitFor({ state: 'detached' })
    expect(sent('typing_stopped')).toBe(1)

    await ada.clock.install()
    await field(ada).pressSequentially('Hm')
    await typing.waitFor()
    await ada.clock.fastForward(5_000)
    await typing.waitFor({ state: 'detached' })
    await field(ada).pressSequentially('m')
    await typing.waitFor()
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await typing.waitFor({ state: 'detached' })
    expect(sent('typing_stopped')).toBe(3)
  })

  test('typing of several is counted, and of one who is gone expires', async () => {
    const { ada, bob, boardId, taskId } = await openTask(['lara', 'lobi'])
    const cleo = await site.open('cleo')
    const data = { username: 'lcleo', email: 'lcleo@example.com', password: 'correct horse' }
    expect((await cleo.request.post('/api/auth/register', { data })).status()).toBe(201)
    await ada.request.post(`/api/boards/${boardId}/members`, { data: { username: 'lcleo' } })
    await cleo.goto(`/board/${boardId}#task-${taskId}`)
    await bob.clock.install()
    await field(ada).pressSequentially('A')
    await field(cleo).pressSequentially('C')
    await bob.getByText('2 people are typing').waitFor()
    // A page that is gone says nothing more.
    await Promise.all([ada.context().close(), cleo.context().close()])
    await bob.clock.fastForward(10_000)
    await bob.getByText('typing').waitFor({ state: 'detached' })
  })

  test('mention members, who are offered and taken by keyboard', async () => {
    const { ada, bob } = await openTask(['mara', 'mabel'])
    const offer = ada.getByRole('listbox', { name: 'Members to mention' })
    await field(ada).pressSequentially('Ask me@m')
    expect(await offer.count()).toBe(0)
    await field(ada).fill('')
    await field(ada).pressSequentially('Ask @')
    await offer.waitFor()
    await leave(offer)
    expect(await field(ada).inputValue()).toBe('Ask @')
    await field(ada).fill('')
    await field(ada).pressSequentially('Ask @m')
    await offer.waitFor()
    await field(ada).blur()
    await offer.waitFor({ state: 'detached' })
    await field(ada).pressSequentially('a')
    await offer.waitFor()
    await field(ada).fill('Ask @')
    await leave(offer)
    await ada.keyboard.press('Backspace')
    await field(ada).pressSequentially('@MAB')
    await offer.waitFor()
    const active = await field(ada).getAttribute('aria-activedescendant')
    expect(await offer.getByRole('option', { selected: true }).getAttribute('id')).toBe(active)
    await keys(ada, 'ArrowDown', 'Enter')
    expect(await field(ada).inputValue()).toBe('Ask @mabel ')
    await field(ada).pressSequentially('first')
    await ada.keyboard.press('Control+Enter')
    const link = item(bob, 'Ask @mabel first').getByRole('link', { name: '@mabel' })
    expect(await link.getAttribute('href')).toBe('/mabel')
    expect(await item(bob, 'Ask').getByRole('link').count()).toBe(2)
    await ada.getByRole('button', { name: 'Edit comment' }).click()
    await editor(ada).pressSequentially(' @')
    await offer.waitFor()
    await leave(offer)
    expect(await editor(ada).inputValue()).toBe('Ask @mabel first @')
    await ada.keyboard.press('Escape')
    await item(ada, 'Ask @mabel first').getByRole('link', { name: '@mabel' }).waitFor()
    await field(ada).pressSequentially('@')
    await offer.getByRole('option').click()
    expect(await field(ada).inputValue()).toBe('@mabel ')
    await field(ada).pressSequentially('!')
    expect(await field(ada).inputValue()).toBe('@mabel !')
  })
})

const taskOf = async (page: Page) => /task-(\d+)/.exec(page.url())?.[1]
