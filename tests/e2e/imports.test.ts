import { afterAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { imports, users } from '../../src/db/tables'
import { KEY, startPlanka } from '../imports/plankaServer'
import { findsNothing } from '../support/axe'
import { inChromium, signUp } from '../support/chromium'
import { openQuick } from '../support/databases'
import { uploadsFolder } from '../support/files'
import { answerHeld, button, choose, column, dialog, leave, press, says, shows, toast, told } from '../support/page'

const uploads = await uploadsFolder()
const planka = startPlanka(2)
afterAll(() => Promise.all([uploads.remove(), planka.stop()]))

const [IDEAS, DOING, SHOP] = ['ideas', 'doing', 'shop'] as const
const card = (name: string, idList: string, more = {}) => ({ id: name, name, desc: '', idList, closed: false, pos: 1, ...more })
const MEMBERS = [
  { id: 'ida', fullName: 'Ida Example', username: 'ida' },
  { id: 'jo', fullName: 'Jo Example', username: 'jo' },
]
const TRELLO = {
  id: '5f0000000000000000000001',
  name: 'Spring catalogue',
  desc: '',
  lists: [IDEAS, DOING, SHOP].map((name, pos) => ({ id: name, name, closed: false, pos })),
  cards: [
    card('Draw the cover', DOING, { idMembers: ['ida'] }),
    card('Ask Jo', IDEAS, { idMembers: ['jo'], stickers: [{}, {}] }),
    card('Buy paper', SHOP),
    card('Long gone', IDEAS, { closed: true, pos: 2 }),
  ],
  checklists: [],
  labels: [],
  members: MEMBERS,
  customFields: [],
  actions: [
    {
      id: 'said',
      type: 'commentCard',
      date: '2024-05-01T10:00:00.000Z',
      idMemberCreator: 'jo',
      memberCreator: MEMBERS[1],
      data: { text: 'On Monday.', card: { id: 'Ask Jo' } },
    },
  ],
}

const give = (page: Page, name: string, content: object) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) })
/** As from a file manager. */
const dropFiles = (page: Page, ...names: string[]) =>
  page.locator('main').evaluate((main, given) => {
    const dataTransfer = new DataTransfer()
    for (const name of given) dataTransfer.items.add(new File(['{"notes": []}'], name))
    main.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, names)
const boardsOf = async (page: Page) => (await (await page.request.get('/api/boards')).json()).length

async function isFine(page: Page, where: string, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  await findsNothing(page, where)
}

inChromium(
  'moving in',
  ({ open }) => {
    test('a file is kept while it does not arrive, shown before anything is written, and becomes what one chose', async () => {
      const page = await open('ida')
      await signUp(page, 'ida')
      await page.getByRole('link', { name: 'import a board' }).click()
      await give(page, 'notes.json', { notes: [] })
      await page.getByRole('alert').getByText('This file cannot be imported').waitFor()
      await dropFiles(page, 'one.json', 'two.json')
      await toast(page, 'One File at a Time')
      await says(page, 'notes.json')
      await dropFiles(page, 'one.json')
      await says(page, 'one.json')
      await page.getByRole('alert').getByText('This file cannot be imported').waitFor()
      await give(page, 'tasks.xlsx', {})
      await page.getByRole('alert').getByText('This is a spreadsheet. Save it as CSV').waitFor()
      await page.route('**/api/imports*', (route) => route.abort(), { times: 1 })
      const moved = join(tmpdir(), `${crypto.randomUUID()}.json`)
      await Bun.write(moved, '{}')
      await page.locator('input[type=file]').setInputFiles(moved)
      await page.getByRole('alert').getByText('The upload was interrupted.').waitFor()
      await Bun.file(moved).delete()
      await press(page, 'Try again')
      await page.getByRole('alert').getByText('This could not be read').waitFor()
      await page.route('**/api/imports*', () => {}, { times: 1 })
      await give(page, 'board.json', TRELLO)
      await page.getByRole('progressbar', { name: 'Uploading board.json' }).waitFor()
      await press(page, 'Cancel')
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      await page.route('**/api/imports*', (route) => route.abort(), { times: 1 })
      await give(page, 'board.json', TRELLO)
      await page.getByRole('alert').getByText('The upload was interrupted.').waitFor()
      await says(page, 'board.json')
      await isFine(page, 'ways in', 1280, 'light')
      await press(page, 'Try again')
      await says(
        page,
        'Preview of “Spring catalogue”',
        /^Nothing is saved yet/,
        'stickers',
        '1 closed or archived card is left out unless you turn this on.',
        /^This import has no emails, so everyone but you is imported by name only/,
        'Left out or changed:',
      )
      expect(await boardsOf(page)).toBe(0)
      await isFine(page, 'a preview', 390, 'dark')
      await page.getByLabel('Column for shop').selectOption('Leave out')
      await page.getByLabel('Column for ideas').selectOption('Done')
      await page.getByLabel('You are').selectOption('Ida Example')
      await page.getByLabel('Board Name').fill('Catalogue')
      await page.getByRole('switch', { name: 'Import them too' }).press('Enter')
      await page.reload()
      await says(page, '1 task is left out.')
      await press(page, 'Import')
      await page.reload()
      await page.getByRole('link', { name: 'Open board' }).click()
      await page.getByRole('heading', { name: 'Catalogue' }).waitFor()
      await shows(page, 'In Progress', ['Draw the cover'])
      await shows(page, 'Done', ['Ask Jo', 'Long gone'])
      expect(await column(page, 'To Do').locator('[data-task]').count()).toBe(0)
      expect(await boardsOf(page)).toBe(1)
    })

    test('names on the board have no profile; its creator invites or asks whose they are, and sees what came with them', async () => {
      const page = await open('ava')
      await signUp(page, 'ava')
      await page.goto('/import')
      await give(page, 'board.json', TRELLO)
      await page.getByLabel('You are').selectOption('Ida Example')
      const start = await answerHeld(page, 'imports.start')
      await press(page, 'Import')
      const { db } = await openQuick()
      await page.getByRole('link', { name: 'Open board' }).waitFor()
      const answered = page.waitForEvent('requestfinished', (request) => request.url().includes('imports.start'))
      start.release()
      await answered
      await db.update(users).set({ importedEmail: 'jo@example.com' }).where(eq(users.name, 'Jo Example'))
      await page.getByRole('link', { name: 'Open board' }).click()
      await press(page, 'Invite Members')
      const jo = page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: 'Jo Example' })
      await jo.getByText('imported').waitFor()
      expect(await jo.getByRole('link').count()).toBe(0)
      await jo.getByRole('button', { name: 'Jo Example: Who is this?' }).click()
      await page.getByRole('menuitem', { name: 'Invite jo@example.com' }).click()
      await told(page, 'Invitation Sent')
      await jo.getByRole('button', { name: 'Jo Example: Invited' }).click()
      await page.getByRole('menuitem', { name: 'Ask me' }).click()
      await jo.getByRole('button', { name: 'Jo Example: Asked you' }).waitFor()
      await toast(page, 'Question Sent', 'You will be asked on this board whether the imported work is yours.')
      await findsNothing(page, 'the members')
      await page.keyboard.press('Escape')
      const question = page.getByRole('status').filter({ hasText: 'Imported work by Jo Example: is it yours?' })
      await question.getByRole('button', { name: 'Not mine' }).click()
      await page.locator('#board:focus').waitFor()
      await told(page, 'Not Yours')
      await question.waitFor({ state: 'detached' })
      await page.locator('[data-task]').filter({ hasText: 'Ask Jo' }).click()
      const said = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
      await said.filter({ hasText: 'On Monday.' }).getByText('imported').waitFor()
      expect(await said.getByRole('link').count()).toBe(0)
      await page.getByLabel('New comment').fill('Today.')
      await press(page, 'Send')
      await said.filter({ hasText: 'Today.' }).getByRole('link', { name: 'Ava' }).waitFor()
      expect(await said.filter({ hasText: 'Today.' }).getByText('imported').count()).toBe(0)
      await page.keyboard.press('Escape')
      const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'Board menu', 'Export board')])
      expect(download.suggestedFilename()).toBe('Spring catalogue - wrk.zip')
      await press(page, 'Invite Members')
      await jo.getByRole('button', { name: 'Jo Example: You said no' }).click()
      const again = page.getByRole('menuitem', { name: 'Ask me said no' })
      await again.waitFor()
      expect(await again.getAttribute('aria-disabled')).toBe('true')
      await leave(again)
      expect(await button(page, 'It’s mine').count()).toBe(0)
      await page.locator('[aria-label="Members"] ~ div', { has: button(page, 'Not yours: Jo Example') }).waitFor()
      await press(page, 'Not yours: Jo Example')
      await page.getByRole('list', { name: 'Not yours' }).getByRole('button', { name: 'It’s mine' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Claim work' }).click()
      await jo.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.locator('[data-task]').filter({ hasText: 'Ask Jo' }).click()
      await said.filter({ hasText: 'On Monday.' }).getByRole('link', { name: 'Ava' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: /^wrk/ }).first().click()
      await page.locator('main').getByText('1 member', { exact: true }).waitFor()
      await page.goto('/import')
      await give(page, 'more.json', { ...TRELLO, name: 'Another' })
      await says(page, 'The Free plan includes 1 board; you have one.')
      await page.getByLabel('Board Name').fill('Second')
      await press(page, 'Import')
      await dialog(page, 'Upgrade to Pro').getByRole('button', { name: 'Maybe Later' }).click()
      expect(await page.getByLabel('Board Name').inputValue()).toBe('Second')
      await press(page, 'Discard')
      await toast(page, 'Import Discarded')
      await page.locator('h1:focus', { hasText: 'Import a board' }).waitFor()
      expect(await page.getByText('more.json').count()).toBe(0)
    })

    test('whoever is asked about several names sees how much each is about, and can decline all at once', async () => {
      const page = await open('zia')
      await signUp(page, 'zia')
      await page.goto('/import')
      await give(page, 'board.json', TRELLO)
      await page.getByLabel('You are').selectOption('None of them')
      await press(page, 'Import')
      await page.getByRole('link', { name: 'Open board' }).click()
      await page.waitForURL('**/board/*')
      const boardId = Number(page.url().split('/').at(-1))
      const { id: userId } = await (await page.request.get('/api/auth/me')).json()
      const names = `/api/boards/${boardId}/imported-names`
      for (const { user } of await (await page.request.get(names)).json())
        await page.request.post(`${names}/${user.id}/offer`, { data: { userId } })
      const question = page.getByRole('status').filter({ hasText: 'Imported work by Ida Example: is it yours?' })
      await question.getByText('1 task', { exact: true }).waitFor()
      await question.getByText('There is also imported work by Jo Example.').waitFor()
      await isFine(page, 'a question', 390, 'dark')
      await isFine(page, 'a question', 1280, 'light')
      await press(page, 'Invite Members')
      const list = page.getByRole('list', { name: 'Is it yours?' })
      await list.getByText('Jo Example').waitFor()
      expect(await list.getByText('Ida Example').count()).toBe(0)
      await findsNothing(page, 'questions among the members')
      await page.keyboard.press('Escape')
      await press(page, 'None of these are mine')
      await page.locator('#board:focus').waitFor()
      await told(page, 'Not Yours')
      await question.waitFor({ state: 'detached' })
      await press(page, 'Invite Members')
      await press(page, 'Not yours: Ida Example and Jo Example')
      await page.getByRole('list', { name: 'Not yours' }).getByText('1 task, 1 comment').waitFor()
      await findsNothing(page, 'what one has said is not one’s own')
      expect(await list.count()).toBe(0)
      expect(await button(page, 'None of these are mine').count()).toBe(0)
      await page.goto('/')
      await says(page, '1 member, 2 imported names')
      await isFine(page, 'a board with names', 390, 'light')
    })

    test('of a CSV one sees which column is what and where each status goes, and may change it', async () => {
      const page = await open('cleo')
      await signUp(page, 'cleo')
      await page.goto('/import')
      const csv = 'Wat,Wie,Lijst,Status\nPlant,Robert,Garden,Complete\nPrune,Carl,Garden,Not done\n'
      await page.locator('input[type=file]').setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      const field = (name: string) => page.getByLabel(`Contents of ${name}`)
      expect(await field('Wat').evaluate((select: HTMLSelectElement) => select.value)).toBe('title')
      await says(page, 'Robert · Carl')
      await field('Lijst').selectOption('List')
      await page.getByLabel('Column for Garden').waitFor()
      await field('Wat').selectOption('Leave out')
      await page.getByRole('alert').getByText('This CSV has no task column').waitFor()
      await field('Wie').selectOption('Title')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      await field('Wat').selectOption('Title')
      await field('Wie').selectOption('Assignees')
      await page.getByLabel('Column for the status Not done').selectOption('In Progress')
      await page.getByRole('list', { name: 'People' }).getByText('Robert').waitFor()
      await page.reload()
      await page.getByRole('list', { name: 'People' }).getByText('Carl').waitFor()
      for (const [width, scheme] of [
        [390, 'dark'],
        [820, 'light'],
        [1440, 'light'],
      ] as const)
        await isFine(page, 'columns', width, scheme)
      await press(page, 'Import')
      await page.getByRole('link', { name: 'Open board' }).click()
      await shows(page, 'In Progress', ['Prune'])
      await shows(page, 'Done', ['Plant'])
    })

    test('what is imported in another tab shows in this one, and its preview comes once it is opened', async () => {
      const page = await open('mia')
      await signUp(page, 'mia')
      await page.goto('/import')
      await page.getByRole('heading', { name: 'Import a board' }).waitFor()
      const other = await page.context().newPage()
      await other.goto('/import')
      await give(other, 'mia.json', TRELLO)
      await says(other, /^Nothing is saved yet/)
      expect(await page.getByRole('list', { name: 'Your imports' }).count()).toBe(0)
      await press(other, 'Import')
      const listed = page.getByRole('list', { name: 'Your imports' }).getByRole('link', { name: /mia\.json Imported$/ })
      await listed.waitFor()
      const read = page.waitForRequest((request) => request.url().includes('imports.get'))
      await listed.click()
      await read
      await page.locator('h1:focus', { hasText: 'Imported “Spring catalogue”' }).waitFor()
      await page.getByRole('link', { name: 'Open board' }).waitFor()
      await other.close()
    })

    test('what is under way shows on the dashboard, goes on without the live channel, and can be cancelled', async () => {
      const page = await open('eve')
      await page.routeWebSocket('**/ws', (socket) => socket.close({ code: 1011 }))
      await signUp(page, 'eve')
      await button(page, 'Search').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search/ }).fill('imp')
      await page.getByRole('option', { name: 'Import a board' }).waitFor()
      await page.keyboard.press('Enter')
      await give(page, 'eve.json', TRELLO)
      await says(page, /^Nothing is saved yet/)
      const { db } = await openQuick()
      const soon = new Date(Date.now() + 3_600_000)
      const held = { state: 'running', holder: 'another process', heldUntil: soon, total: 200 } as const
      const write = (done: number) =>
        db
          .update(imports)
          .set({ ...held, done })
          .where(eq(imports.fileName, 'eve.json'))
      await write(50)
      await page.goto('/')
      await page.getByRole('progressbar', { name: 'Importing Spring catalogue' }).waitFor()
      await says(page, '25%')
      await findsNothing(page, 'the dashboard')
      await write(100)
      await says(page, '50%')
      await page.getByRole('link', { name: 'Spring catalogue' }).click()
      await says(page, '50% · 100 of 200')
      await press(page, 'Cancel import')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel import' }).click()
      await told(page, 'Import Cancelled')
      expect(await db.$count(imports, eq(imports.fileName, 'eve.json'))).toBe(0)
      await press(page, 'Connect to Planka')
      const asking = dialog(page, 'Import from Planka')
      await asking.getByLabel('Planka address').fill(planka.url)
      await asking.getByLabel('API key').fill('wrong')
      await asking.getByRole('button', { name: 'Show boards' }).click()
      await asking.getByRole('alert').getByText('Planka does not accept this key.').waitFor()
      await asking.getByLabel('API key').fill(KEY)
      await asking.getByRole('button', { name: 'Show boards' }).click()
      await asking.getByLabel('Board').selectOption('Festival')
      await findsNothing(page, 'Planka')
      await asking.getByRole('button', { name: 'Preview board' }).click()
      await says(page, /^Preview of “Festival”/)
    })
  },
  { ...uploads.env, IMPORT_ALLOW: planka.allow },
)
