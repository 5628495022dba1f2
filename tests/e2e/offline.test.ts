import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { addTask, card, channel, column, drag, enter, heldBack, press, refuseCalls, shows, toast } from '../support/page'
import { until } from '../support/until'
import { everything } from './storages'
import { closeTask } from './timePages'

declare global {
  var gaps: number
}

/** As in a page that nobody looks at. */
const neverIdle = () => {
  window.requestIdleCallback = (work, { timeout } = {}) =>
    timeout === undefined ? 0 : window.setTimeout(work, timeout, { didTimeout: true, timeRemaining: () => 0 })
}

/** Counts how often the comments that are shown are gone. */
const countGaps = () => {
  globalThis.gaps = 0
  new MutationObserver(() => {
    globalThis.gaps += document.querySelector('ul[aria-label=Comments] li') ? 0 : 1
  }).observe(document, { subtree: true, childList: true })
}

const stored = async (page: Page): Promise<unknown[]> => JSON.parse(await everything(page)).stores
/** What the browser calls a board that it keeps. */
const nameOf = (boardId: number) => `["live",${boardId},"board"]`
const isKept = async (page: Page, boardId: number) => (await stored(page)).includes(nameOf(boardId))
const lineOf = (page: Page) => page.getByRole('status').filter({ hasText: 'will sync' })
const comments = (page: Page) => page.getByRole('list', { name: 'Comments' }).getByRole('listitem')

inChromium('without a connection', (site) => {
  /** Bob has the board open too, and Ada has had a task open, unless told otherwise. */
  async function open(names: [string, string], { alone = false, boardOnly = false } = {}) {
    const { ada, bob, boardId } = await site.sharedBoard(names, ['One', 'Two'], { seenBy: alone ? ['ada'] : ['ada', 'bob'] })
    // The code of a task comes after the board's; here no service worker keeps it.
    if (!boardOnly) {
      await card(ada, 'One').click()
      await ada.getByRole('textbox', { name: 'New comment' }).waitFor()
      await ada.getByRole('button', { name: 'Start timer' }).waitFor()
      await closeTask(ada)
    }
    const idOf = async (title: string) => Number(await card(ada, title).getAttribute('data-task'))
    return { ada, bob, boardId, one: await idOf('One'), two: await idOf('Two') }
  }
  /** Calls of the page's get no answer until `unrouteAll`, as where the server is away. */
  const serverAway = (page: Page) => page.route(/\/trpc\/|\/api\//, (route) => route.abort())

  async function comment(page: Page, title: string, text: string) {
    await card(page, title).click()
    await page.getByRole('textbox', { name: 'New comment' }).fill(text)
    await press(page, 'Send')
    await comments(page).filter({ hasText: text }).waitFor()
  }
  async function create(page: Page, title: string) {
    await addTask(page, 'To Do', title)
    await card(page, title).waitFor()
  }

  test('one goes on, and what one did is there for the others, once and in order, when it is back', async () => {
    const { ada, bob, boardId } = await open(['ayla', 'bert'])
    await ada.context().setOffline(true)
    await comment(ada, 'One', 'From the train')
    await closeTask(ada)
    await create(ada, 'Three')
    await comment(ada, 'Three', 'On what is not stored yet')
    await press(ada, 'Start timer')
    await closeTask(ada)
    await drag(card(ada, 'Two'), column(ada, 'Done').getByRole('heading'))
    await shows(ada, 'Done', ['Two'])
    await lineOf(ada).getByText('5 changes will sync.').waitFor()
    await ada.context().setOffline(false)
    await shows(bob, 'To Do', ['One', 'Three'])
    await shows(bob, 'Done', ['Two'])
    await lineOf(ada).waitFor({ state: 'detached' })
    for (const page of [ada, bob]) {
      await card(page, 'Three').getByTitle('1 comment').waitFor()
      await card(page, 'One').getByTitle('1 comment').waitFor()
    }
    const tasks = await (await bob.request.get(`/api/boards/${boardId}/tasks`)).json()
    expect(tasks.map(({ title, commentCount }: { title: string; commentCount: number }) => [title, commentCount])).toEqual([
      ['One', 1],
      ['Three', 1],
      ['Two', 0],
    ])
    const { timers } = await (await ada.request.get('/api/time-entries/timers')).json()
    expect(timers).toMatchObject([{ task: 'Three', status: 'ACTIVE' }])
  })

  test('a task that was never opened says that it has no comments, as the board knows', async () => {
    const { ada, bob } = await open(['anke', 'arvo'])
    await comment(bob, 'One', 'Said')
    await closeTask(bob)
    await card(ada, 'One').getByTitle('1 comment').waitFor()
    await ada.reload()
    await card(ada, 'One').click()
    await comments(ada).filter({ hasText: 'Said' }).waitFor()
    await closeTask(ada)
    await ada.context().setOffline(true)
    await card(ada, 'Two').click()
    await ada.getByText('No comments yet').waitFor()
    // Of the files alone, or in one line with what else had not come before.
    await ada.getByText(/could (not )?be loaded\. You are offline\./).waitFor()
    expect(await ada.getByText('The comments could not be loaded.').count()).toBe(0)

    // Several parts say so in one line, and a comment that waits to be sent looks like it.
    await closeTask(ada)
    await ada.context().setOffline(false)
    await ada.request.post(`/api/boards/${new URL(ada.url()).pathname.split('/').at(-1)}/tasks`, { data: { title: 'Three' } })
    await comment(bob, 'Three', 'Said elsewhere')
    await card(ada, 'Three').getByTitle('1 comment').waitFor()
    await ada.context().setOffline(true)
    await card(ada, 'Three').click()
    await ada.getByText('Part of this task could not be loaded. You are offline.').waitFor()
    expect(await ada.getByRole('button', { name: 'Try again' }).count()).toBe(1)
    await enter(ada.getByRole('textbox', { name: 'New comment' }), 'Later', 'Control+Enter')
    await comments(ada).filter({ hasText: 'Later' }).getByText('Not sent yet').waitFor()
    await ada.context().setOffline(false)
    await comments(bob).filter({ hasText: 'Later' }).waitFor()
    await comments(ada).filter({ hasText: 'Later' }).getByText('just now').waitFor()
  })

  test('what one made has the name that the server gives it, while one is in it and types', async () => {
    const { ada, bob } = await open(['arno', 'arif'])
    await ada.context().setOffline(true)
    await create(ada, 'Three')
    await comment(ada, 'Three', 'Mine')
    const box = ada.getByRole('textbox', { name: 'New comment' })
    await box.pressSequentially('One ')
    await ada.evaluate(countGaps)
    await ada.context().setOffline(false)
    await card(bob, 'Three').getByTitle('1 comment').waitFor()
    await lineOf(ada).first().waitFor({ state: 'detached' })
    await ada.waitForURL(/#task-\d+$/)
    await ada.keyboard.type('two')
    expect([await box.inputValue(), await ada.evaluate(() => globalThis.gaps)]).toEqual(['One two', 0])
    await ada.reload()
    await comments(ada).filter({ hasText: 'Mine' }).waitFor()
    expect(await box.inputValue()).toBe('One two')
  })

  test('what is typed in a new task stays with it, if the page was loaded again before it was sent', async () => {
    const { ada, bob } = await open(['rene', 'rosa'])
    await ada.route(/\/trpc\/tasks\.create/, (route) => route.abort())
    await create(ada, 'Three')
    await card(ada, 'Three').click()
    await ada.getByRole('textbox', { name: 'New comment' }).fill('Not sent')
    await closeTask(ada)
    await ada.reload()
    await card(ada, 'Three').waitFor()
    await ada.unrouteAll()
    await card(bob, 'Three').waitFor()
    await lineOf(ada).first().waitFor({ state: 'detached' })
    await card(ada, 'Three').click()
    const box = ada.getByRole('textbox', { name: 'New comment' })
    await box.waitFor()
    expect(await box.inputValue()).toBe('Not sent')
  })

  test('a task that one made stays open when the page is loaded again', async () => {
    const { ada } = await open(['hanka', 'harro'], { alone: true })
    await ada.route(/\/trpc\/tasks\.create/, (route) => route.abort())
    await create(ada, 'Three')
    await card(ada, 'Three').click()
    await ada.getByRole('textbox', { name: 'New comment' }).waitFor()
    await ada.reload()
    await ada.getByRole('textbox', { name: 'New comment' }).waitFor()
    expect(await ada.getByText('Could not load task details.').count()).toBe(0)
  })

  test('a board’s new name shows in the list at once, and the board stays there where it cannot be deleted', async () => {
    const { ada, bob, boardId } = await open(['hilda', 'hanno'], { alone: true, boardOnly: true })
    const listed = (name: string) => ada.getByRole('navigation', { name: 'My Boards' }).getByRole('link', { name })
    await serverAway(ada)
    await press(ada, 'Edit board name')
    await enter(ada.getByRole('textbox', { name: 'Board name' }), 'Autumn catalogue')
    await listed('Autumn catalogue').waitFor()
    await press(ada, 'Delete Board')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Board' }).click()
    await toast(ada, 'Delete Failed')
    await listed('Autumn catalogue').waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await lineOf(ada).waitFor({ state: 'detached' })
    expect(await (await bob.request.get(`/api/boards/${boardId}`)).json()).toMatchObject({ name: 'Autumn catalogue' })
  })

  test('what one did outlives the page, and is sent by the next one', async () => {
    const { ada, bob } = await open(['cara', 'carl'])
    await ada.route(/\/trpc\/comments\.create/, (route) => route.abort())
    await comment(ada, 'One', 'Before the tab was closed')
    await lineOf(ada).getByText('1 change will sync.').waitFor()
    await ada.reload()
    await comments(ada).filter({ hasText: 'Before the tab was closed' }).waitFor()
    const next = await ada.context().newPage()
    await next.addInitScript(neverIdle)
    await ada.close()
    await next.goto('/')
    await card(bob, 'One').getByTitle('1 comment').waitFor()
    await card(bob, 'One').click()
    await comments(bob).filter({ hasText: 'Before the tab was closed' }).waitFor()
    expect(await comments(bob).count()).toBe(1)
  })

  for (const [how, names] of [
    ['once that is connected again', ['vala', 'veit']],
    ['once one looks at it', ['vera', 'viktor']],
  ] as const)
    test(`what one did in a tab that was closed is sent by one that was open before it, ${how}`, async () => {
      const { ada, bob } = await open([...names])
      const live = await channel(ada)
      await ada.reload()
      await live.told('joined_board')
      await lineOf(ada).first().waitFor({ state: 'detached' })
      const other = await ada.context().newPage()
      await other.goto(ada.url())
      await serverAway(other)
      await comment(other, 'One', 'Before the tab was closed')
      await lineOf(other).getByText('1 change will sync.').waitFor()
      await other.close()
      if (how.includes('connected')) await live.cut()
      else await ada.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      await card(bob, 'One').getByTitle('1 comment').waitFor()
    })

  test('what a closed tab left is taken over by one of the others, and shown there alone where it is refused', async () => {
    const { ada } = await open(['vilma', 'vito'], { alone: true })
    const [other, third] = await Promise.all([ada.context().newPage(), ada.context().newPage()])
    for (const page of [other, third]) {
      await page.goto(ada.url())
      await refuseCalls(page, 'tasks.create')
    }
    await serverAway(ada)
    await create(ada, 'Three')
    await lineOf(ada).getByText('1 change will sync.').waitFor()
    await ada.close()
    const left = (page: Page) => page.getByText('One change you made offline could not be saved.')
    const look = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await Promise.all([look(other), look(third)])
    await Promise.any([other, third].map((page) => left(page).waitFor()))
    // Sent after what a page took over.
    for (const [page, title] of [
      [other, 'One'],
      [third, 'Two'],
    ] as const) {
      await card(page, title).focus()
      await page.keyboard.press('3')
    }
    for (const page of [other, third]) await shows(page, 'Done', ['One', 'Two'])
    expect((await left(other).count()) + (await left(third).count())).toBe(1)
  })

  test('what one did goes out in its order, although the clock was set back in between', async () => {
    const { ada, bob } = await open(['wera', 'wim'])
    await ada.route(/\/trpc\/(tasks|comments)\.create/, (route) => route.abort())
    await create(ada, 'Three')
    await ada.evaluate(setClockBack)
    await comment(ada, 'Three', 'On what is not there yet')
    await lineOf(ada).getByText('2 changes will sync.').waitFor()
    await ada.reload()
    await card(ada, 'Three').getByTitle('1 comment').waitFor()
    await ada.unrouteAll()
    await card(bob, 'Three').getByTitle('1 comment').waitFor()
    await lineOf(ada).first().waitFor({ state: 'detached' })
  })

  test('what was deleted can be brought back once that has been sent', async () => {
    const { ada, bob } = await open(['nell', 'nils'])
    await ada.context().setOffline(true)
    await card(ada, 'One').click()
    await ada.getByRole('button', { name: 'Delete Task' }).click()
    await shows(ada, 'To Do', ['Two'])
    expect(await ada.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await ada.context().setOffline(false)
    await shows(bob, 'To Do', ['Two'])
    await ada.getByRole('button', { name: 'Undo' }).click()
    await shows(bob, 'To Do', ['One', 'Two'])
    await shows(ada, 'To Do', ['One', 'Two'])
  })

  test('what is refused afterwards is shown with what was typed, and may be tried again', async () => {
    const { ada, bob, one } = await open(['dara', 'dirk'])
    await serverAway(ada)
    await comment(ada, 'One', 'A long thought')
    await ada.request.delete(`/api/tasks/${one}`)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await ada.getByText('One change you made offline could not be saved.').waitFor()
    await press(ada, 'Review')
    const asked = ada.getByRole('dialog', { name: 'Not saved' })
    await asked.getByText('A long thought').waitFor()
    await asked.getByText('One', { exact: true }).waitFor()
    await ada.request.post(`/api/tasks/${one}/restore`)
    await press(ada, 'Try again')
    await card(bob, 'One').getByTitle('1 comment').waitFor()
    await asked.waitFor({ state: 'detached' })
  })

  test('what named a task made offline can be tried again after a reload', async () => {
    const { ada, bob } = await open(['fria', 'finn'])
    await serverAway(ada)
    await create(ada, 'Three')
    await comment(ada, 'Three', 'A thought')
    await closeTask(ada)
    const full = { message: 'full', code: 'INSUFFICIENT_STORAGE' }
    await ada.route(/\/trpc\/comments.create/, (route) =>
      route.fulfill({ status: 507, json: { error: { message: 'full', code: -32603, data: full } } }),
    )
    await ada.unroute(/\/trpc\/|\/api\//)
    await ada.getByText('One change you made offline could not be saved.').waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await ada.reload()
    await press(ada, 'Review')
    await press(ada, 'Try again')
    await card(bob, 'Three').getByTitle('1 comment').waitFor()
  })

  test('what others wrote meanwhile is not overwritten after an own change that was refused', async () => {
    const { ada, bob, one } = await open(['frida', 'falk'])
    await serverAway(ada)
    await card(ada, 'One').focus()
    await ada.keyboard.press('e')
    await enter(ada.getByRole('textbox', { name: 'Title' }), 'My title')
    await lineOf(ada).getByText('1 change will sync.').waitFor()
    await card(ada, 'My title').click()
    await ada.getByRole('textbox', { name: 'Description' }).fill('My words')
    await press(ada, 'Save & Close')
    await lineOf(ada).getByText('2 changes will sync.').waitFor()
    await bob.request.patch(`/api/tasks/${one}`, { data: { title: 'Their title', description: 'Their words' } })
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await ada.getByText('2 changes you made offline could not be saved.').waitFor()
    expect(await (await bob.request.get(`/api/tasks/${one}`)).json()).toMatchObject({
      title: 'Their title',
      description: 'Their words',
    })
  })

  test('what needs the server fails at once, and is not done later', async () => {
    const { ada, boardId } = await open(['fina', 'ferdi'], { alone: true, boardOnly: true })
    await ada.context().setOffline(true)
    await press(ada, 'Delete Board')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Board' }).click()
    await toast(ada, 'Delete Failed')
    await ada.context().setOffline(false)
    await card(ada, 'One').focus()
    await ada.keyboard.press('3')
    await until('a later change is stored', async () => {
      const tasks = await (await ada.request.get(`/api/boards/${boardId}/tasks`)).json()
      return JSON.stringify(tasks).includes('"done"')
    })
    expect((await ada.request.get(`/api/boards/${boardId}`)).status()).toBe(200)
  })

  test('the page asks before it is closed where the browser has no space for what is not sent', async () => {
    const { ada } = await open(['fabia', 'fritz'], { alone: true, boardOnly: true })
    const asks = () => {
      const leaving = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(leaving)
      return leaving.defaultPrevented
    }
    await serverAway(ada)
    await card(ada, 'Two').focus()
    await ada.keyboard.press('2')
    await lineOf(ada).getByText('1 change will sync.').waitFor()
    expect(await ada.evaluate(asks)).toBe(false)
    await ada.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full', 'QuotaExceededError')
      }
    })
    await card(ada, 'One').focus()
    await ada.keyboard.press('3')
    await lineOf(ada).getByText('2 changes will sync.').waitFor()
    await ada.waitForFunction(asks)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await lineOf(ada).waitFor({ state: 'detached' })
    expect(await ada.evaluate(asks)).toBe(false)
  })

  test('nothing new waits for what is still being sent', async () => {
    const { ada, bob } = await open(['ella', 'egon'])
    await serverAway(ada)
    await create(ada, 'Early')
    await comment(ada, 'One', 'Long on its way')
    await closeTask(ada)
    const release = await heldBack(ada, 'comments.create')
    await ada.unroute(/\/trpc\/|\/api\//)
    await ada.getByText('Saving…').waitFor()
    await create(ada, 'Three')
    await release()
    await shows(bob, 'To Do', ['One', 'Two', 'Early', 'Three'])
    await card(bob, 'One').getByTitle('1 comment').waitFor()
  })

  test('a timer starts although the one before it was refused', async () => {
    const { ada, one } = await open(['dina', 'dino'], { alone: true })
    await serverAway(ada)
    for (const title of ['One', 'Two']) {
      await card(ada, title).click()
      await press(ada, 'Start timer')
      await closeTask(ada)
    }
    await ada.request.delete(`/api/tasks/${one}`)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await ada.getByText('One change you made offline could not be saved.').waitFor()
    await lineOf(ada).waitFor({ state: 'detached' })
    const { timers } = await (await ada.request.get('/api/time-entries/timers')).json()
    expect(timers).toMatchObject([{ task: 'Two', status: 'ACTIVE' }])
  })

  test('logging out asks before it loses anything, and leaves nothing for whoever comes next', async () => {
    const { ada, boardId } = await open(['emma', 'emil'], { alone: true })
    await ada.route(/\/trpc\/comments\.create/, (route) => route.abort())
    await comment(ada, 'One', 'Not for others')
    await closeTask(ada)
    await press(ada, 'Log out')
    const question = ada.getByRole('alertdialog', { name: 'Log out and lose changes?' })
    await press(ada, 'Stay')
    await question.waitFor({ state: 'detached' })
    // Nothing is lost any more once it is saved.
    await press(ada, 'Log out')
    await question.waitFor()
    await ada.unroute(/\/trpc\/comments\.create/)
    await question.waitFor({ state: 'detached' })
    await ada.route(/\/trpc\/comments\.create/, (route) => route.abort())
    await comment(ada, 'One', 'Nor this')
    await closeTask(ada)
    await press(ada, 'Log out')
    await question.getByRole('button', { name: 'Log out' }).click()
    await ada.waitForURL('**/login')
    expect(await stored(ada)).toEqual([])
    expect(boardId).toBeGreaterThan(0)
  })

  test('logging out asks for what other tabs keep as well, and nothing of it is sent by whoever signs in next', async () => {
    const { ada, bob, one } = await open(['isis', 'ivar'], { alone: true })
    const other = await ada.context().newPage()
    await other.goto(ada.url())
    await serverAway(other)
    await comment(other, 'One', 'Words of Isis')
    await press(ada, 'Log out')
    await ada.getByRole('alertdialog').getByText('One change is not saved yet').waitFor()
    await press(ada, 'Stay')
    await ada.context().addCookies(await bob.context().cookies())
    // Sent once more, which is refused, unless the page learns first who is signed in.
    await other.unrouteAll({ behavior: 'ignoreErrors' })
    // Behind the task where that is open again.
    await other.locator('aside').getByRole('link', { name: 'Ivar', includeHidden: true }).waitFor()
    expect(await (await bob.request.get(`/api/tasks/${one}/comments`)).json()).toEqual([])
  })

  test('the boards that one has seen are there, without a word of others', async () => {
    const { ada, boardId } = await open(['fine', 'fred'], { alone: true, boardOnly: true })
    await ada.goto('/')
    await ada.goto(`/board/${boardId}`)
    await card(ada, 'One').waitFor()
    await until('the board is kept', () => isKept(ada, boardId))
    await serverAway(ada)
    await ada.reload()
    await card(ada, 'Two').waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('what another build of the page kept is not shown: its tasks may lack what this one draws', async () => {
    const { ada, boardId } = await open(['gina', 'gabo'], { alone: true, boardOnly: true })
    await until('the board is kept', () => isKept(ada, boardId))
    await serverAway(ada)
    await ada.evaluate(keptByAnotherBuild, nameOf(boardId))
    await ada.reload()
    await ada.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await card(ada, 'One').count()).toBe(0)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('nothing stays of a board that one was removed from', async () => {
    const { ada, bob, boardId } = await open(['kira', 'kurt'], { boardOnly: true })
    await until('the board is kept', () => isKept(bob, boardId))
    const { id } = await (await bob.request.get('/api/user')).json()
    await ada.request.delete(`/api/boards/${boardId}/members/${id}`)
    await bob.getByText('You no longer have access to this board.').waitFor()
    await until('it is kept no more', async () => !(await isKept(bob, boardId)))
  })

  test('a board that could not be read again is read until it can be, and says so', async () => {
    const { ada, bob, boardId } = await open(['gesa', 'gero'], { alone: true, boardOnly: true })
    const live = await channel(ada)
    await ada.reload()
    await live.told('joined_board')
    await ada.route('**/snapshot', (route) => route.abort())
    await live.cut()
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Meanwhile' } })
    await ada.getByRole('status').getByText('Updating…').waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await shows(ada, 'To Do', ['One', 'Two', 'Meanwhile'])
    await ada.getByRole('status').getByText('Updating…').waitFor({ state: 'detached' })
  })

  test('what is shown stays where it cannot be read again, however old what the browser keeps', async () => {
    const { ada, bob, boardId } = await open(['ines', 'ingo'], { alone: true, boardOnly: true })
    const live = await channel(ada)
    await ada.reload()
    await live.told('joined_board')
    await until('the board is kept', () => isKept(ada, boardId))
    await ada.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full', 'QuotaExceededError')
      }
    })
    const add = (title: string) => bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title } })
    await add('Seen')
    await shows(ada, 'To Do', ['One', 'Two', 'Seen'])
    const reads: number[] = []
    const third = new Promise<void>((resolve) => {
      void ada.route('**/snapshot', (route) => {
        if (reads.push(performance.now()) === 3) resolve()
        return route.abort()
      })
    })
    await live.cut()
    await add('Meanwhile')
    await third
    await shows(ada, 'To Do', ['One', 'Two', 'Seen'])
    // After half a second at least, then after a whole one.
    expect(Number(reads[2]) - Number(reads[0])).toBeGreaterThan(1_000)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await shows(ada, 'To Do', ['One', 'Two', 'Seen', 'Meanwhile'])
  })

  test('a line that is silently dead, and one that does not come about, is noticed while one looks at the page', async () => {
    const { ada, bob, boardId } = await open(['hana', 'hugo'], { alone: true, boardOnly: true })
    let isDead = false
    let opened = 0
    await ada.routeWebSocket('**/ws', async (socket) => {
      // One is never answered at all.
      if (isDead && ++opened === 1) await new Promise(() => {})
      const server = socket.connectToServer()
      const wasDead = isDead
      socket.onMessage((message) => (isDead && !wasDead) || server.send(message))
      server.onMessage((message) => (isDead && !wasDead) || socket.send(message))
    })
    await ada.clock.install()
    await ada.reload()
    await card(ada, 'One').waitFor()
    isDead = true
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Unheard' } })
    await ada.clock.runFor(31_000)
    await ada.getByRole('status').getByText('Reconnecting…').waitFor()
    await ada.clock.runFor(20_000)
    await shows(ada, 'To Do', ['One', 'Two', 'Unheard'])
  })
})

/** By an hour, for this page only. */
function setClockBack() {
  const now = Date.now.bind(Date)
  Date.now = () => now() - 3_600_000
}

/** As if the answer came from before the last deploy. */
const keptByAnotherBuild = (name: string) =>
  new Promise<void>((resolve) => {
    const opening = indexedDB.open('wrk answers')
    opening.onsuccess = () => {
      const store = opening.result.transaction('answers', 'readwrite').objectStore('answers')
      const asked = store.get(name)
      asked.onsuccess = () => {
        store.put({ ...asked.result, build: 'another' }, name).onsuccess = () => resolve()
      }
    }
  })
