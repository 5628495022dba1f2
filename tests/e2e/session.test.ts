import { expect, test } from 'bun:test'
import { inChromium, signUp } from '../support/chromium'
import { card, shows, toast } from '../support/page'
import { PASSWORD } from '../support/people'
import { until } from '../support/until'

inChromium('a session', (site) => {
  test('that ends in one tab ends in the others, which say so', async () => {
    const page = await site.dashboard('quinn')
    await page.getByText('Welcome, Quinn').waitFor()
    const other = await page.context().newPage()
    await other.goto('/')
    await other.getByText('Welcome, Quinn').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL('**/login')
    await other.waitForURL('**/login*')
    await other.getByText('You logged out in another tab.').first().waitFor()
  })

  test('that ran out leaves nothing that was typed to whoever signs in there next, and all to its owner', async () => {
    const page = await site.open('tess')
    const name = page.getByRole('dialog').getByLabel('Name')
    const comeBack = async (signIn: () => Promise<unknown>) => {
      await page.context().clearCookies()
      await page.goto('/login')
      await signIn()
      await page.goto('/board/new')
      await name.waitFor()
    }
    await comeBack(() => signUp(page, 'tess'))
    await name.fill('Merger')
    await comeBack(() => page.request.post('/api/auth/login', { data: { username: 'tess', password: PASSWORD } }))
    expect(await name.inputValue()).toBe('Merger')
    await comeBack(() => signUp(page, 'ugo'))
    expect(await name.inputValue()).toBe('')
  })

  test('that is over loses no change made before the page knew', async () => {
    const { ada: page, boardId } = await site.ownBoard(['tilda', 'tove'], ['One'])
    await page.context().clearCookies()
    await card(page, 'One').focus()
    await page.keyboard.press('3')
    await page.waitForURL('**/login*')
    await page.request.post('/api/auth/login', { data: { username: 'tilda', password: PASSWORD } })
    await page.goto(`/board/${boardId}`)
    await shows(page, 'Done', ['One'])
    await until('it is stored', async () => {
      const [task] = await (await page.request.get(`/api/boards/${boardId}/tasks`)).json()
      return task.status === 'done'
    })
  })

  test('is needed for a board', async () => {
    const page = await site.open('nobody')
    await page.goto('/board/1')
    await page.waitForURL('**/login')
    await page.getByRole('tab', { name: /log ?in/i }).waitFor()
  })

  test('opens the task that a link names, and takes the parameters from the address', async () => {
    const { ada, boardId, taskId: id } = await site.ownBoard(['rae', 'sam'], ['One'])
    await ada.goto(`/board/${boardId}?task=${id}&openTaskDetail=true`)
    await ada.getByRole('dialog').waitFor()
    const address = new URL(ada.url())
    expect([address.pathname, address.search, address.hash]).toEqual([`/board/${boardId}`, '', `#task-${id}`])
    await ada.goto(`/board/${boardId}?task=${Number(id) + 999}&openTaskDetail=true`)
    await toast(ada, 'Error', 'Could not load task details.')
    await ada.waitForFunction(() => window.location.hash === '')
  })
})
