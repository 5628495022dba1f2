import { test } from 'bun:test'
import { forget, inChromium, signUp } from '../support/chromium'
import { toast } from '../support/page'

inChromium('what was tried too often', (site) => {
  test('whoever tries too often reads how long to wait', async () => {
    const page = await site.open('eve')
    await signUp(page, 'eve')
    await forget(page)
    const attempt = () => page.request.post('/api/auth/login', { data: { username: 'eve', password: 'wrong password' } })
    await Promise.all(Array.from({ length: 10 }, attempt))
    await page.goto('/login')
    await page.getByLabel('Username').fill('eve')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.keyboard.press('Enter')
    await toast(page, 'Login Failed', 'Too many attempts. Please try again in 15 minutes.')
  })

  test('a board that is asked for too often can be asked for again', async () => {
    const page = await site.open('kim')
    await signUp(page, 'kim')
    await page.request.post('/api/boards', { data: { name: 'Spring catalogue' } })
    await page.reload()
    const board = page.getByRole('link', { name: 'Spring catalogue' }).first()
    await board.waitFor()
    const batch = `/trpc/${Array(10).fill('auth.me').join(',')}?batch=1&input=%7B%7D`
    for (let n = 0; n < 60; n++) await page.request.get(batch)
    await board.click()
    await page.getByText('This could not be loaded.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })
})
