import { expect, test } from 'bun:test'
import { forget, inChromium } from '../support/chromium'
import { enter, press, toast } from '../support/page'

const NO_ROOM = 'The server’s disk is full: nothing can be added or changed until space is freed.'

inChromium('what was tried too often', (site) => {
  test('whoever tries too often reads how long to wait', async () => {
    const page = await site.account('eve')
    await forget(page)
    const attempt = () => page.request.post('/api/auth/login', { data: { username: 'eve', password: 'wrong password' } })
    await Promise.all(Array.from({ length: 10 }, attempt))
    await page.goto('/login')
    await page.getByLabel('Username').fill('eve')
    await enter(page.getByLabel('Password', { exact: true }), 'correct horse')
    await toast(page, 'Login Failed', 'Too many attempts. Please try again in 15 minutes, or use a browser')
  })

  test('a board that is asked for too often can be asked for again', async () => {
    const page = await site.account('kim')
    await page.request.post('/api/boards', { data: { name: 'Spring catalogue' } })
    await page.goto('/')
    const board = page.getByRole('link', { name: 'Spring catalogue' }).first()
    await board.waitFor()
    const batch = `/trpc/${Array(10).fill('auth.me').join(',')}?batch=1&input=%7B%7D`
    for (let n = 0; n < 60; n++) await page.request.get(batch)
    await board.click()
    await page.getByText('This could not be loaded.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })

  test('whoever writes while the disk is full reads that it is, and keeps what was typed', async () => {
    const page = await site.account('lou')
    const { id } = await (await page.request.post('/api/boards', { data: { name: 'Spring catalogue' } })).json()
    await page.goto(`/board/${id}`)
    const data = { message: NO_ROOM, code: 'INSUFFICIENT_STORAGE', httpStatus: 507 }
    await page.route('**/trpc/tasks.create*', (route) =>
      route.fulfill({ status: 507, json: { error: { message: NO_ROOM, code: -32603, data } } }),
    )
    await page.getByRole('button', { name: 'Add Task' }).first().click()
    const title = page.getByLabel('Task Title')
    await title.fill('Order paper')
    await press(page, 'Create Task')
    await toast(page, 'Creation Failed', NO_ROOM)
    expect(await title.inputValue()).toBe('Order paper')
  })
})
