import { expect, test } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { card, inChromium, sharedBoard, signUp } from '../support/chromium'

async function findings(page: Page) {
  // The policy of the page forbids added script elements, so axe comes in as the debugger's own.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    // axe was defined by the line above.
    (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
  )
}

inChromium('axe finds nothing', (site) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on what everyone sees, ${colorScheme}`, async () => {
      const page = await site.open('visitor', { colorScheme, reducedMotion: 'reduce' })
      for (const path of ['/', '/login', '/terms', '/privacy', '/refund']) {
        await page.goto(path)
        await page.getByRole('heading').first().waitFor()
        expect([path, ...(await findings(page))]).toEqual([path])
      }
      await page.goto('/login')
      const at = async (where: string) => expect([where, ...(await findings(page))]).toEqual([where])
      await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
      await at('asking for a link')
      await page.getByRole('button', { name: 'Back to Login' }).click()
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await page.getByLabel('Email').fill(`nobody-${colorScheme}@example.com`)
      await page.getByRole('button', { name: 'Send Reset Link' }).click()
      await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
      await at('the sent link')
    })

    test(`on what a signed-in user sees, ${colorScheme}`, async () => {
      const options = { colorScheme, reducedMotion: 'reduce' } as const
      const [ada, bob] = await Promise.all([site.open('ada', options), site.open('bob', options)])
      await signUp(await site.open('zoe', options), `zoe-${colorScheme}`)
      await sharedBoard(ada, bob, [`ada-${colorScheme}`, `bob-${colorScheme}`], ['One', 'Two'])
      const at = async (where: string) => expect([where, ...(await findings(ada))]).toEqual([where])
      await at('the board')
      await card(ada, 'One').click()
      await ada.getByRole('button', { name: 'Manage' }).click()
      await at('a task')
      await ada.getByRole('textbox', { name: 'New comment' }).fill(`For @bob-${colorScheme} and @ada-${colorScheme}`)
      await ada.keyboard.press('Control+Enter')
      await ada.getByRole('button', { name: 'Edit comment' }).click()
      await at('a comment being edited')
      await ada.keyboard.press('Escape')
      await ada.getByRole('textbox', { name: 'New comment' }).pressSequentially('@')
      await ada.getByRole('listbox', { name: 'Members to mention' }).waitFor()
      await at('members to mention')
      await ada.keyboard.press('Escape')
      await ada.keyboard.press('Escape')
      await ada.getByRole('dialog').waitFor({ state: 'detached' })
      await ada.keyboard.press('c')
      await ada.getByRole('dialog').waitFor()
      await at('a new task')
      await ada.keyboard.press('Escape')
      await ada.getByRole('dialog').waitFor({ state: 'detached' })
      await ada.getByRole('button', { name: 'Invite Members' }).click()
      await ada.getByLabel('E-mail address').waitFor()
      await at('the members')
      await ada.goto('/')
      await ada.getByText('Welcome').waitFor()
      await at('the dashboard')
      await ada.goto('/subscribe')
      await ada.getByRole('heading').first().waitFor()
      await at('the upgrade page')
      await ada.goto(`/bob-${colorScheme}`)
      await ada.getByRole('heading').first().waitFor()
      await at('a profile')
      await ada.goto(`/ada-${colorScheme}`)
      await ada.getByRole('tab', { name: 'Sign-in & security' }).click()
      await ada.getByText('This browser').waitFor()
      await at('sign-in and security')
      await ada.getByRole('button', { name: 'Delete Account…' }).click()
      await ada.getByRole('dialog').waitFor()
      await at('the deletion of an account')
      await ada.evaluate(() => sessionStorage.setItem('chooseNewPassword', '1'))
      await ada.goto('/')
      await ada.getByRole('dialog', { name: 'Choose a new password' }).waitFor()
      await at('the choice of a new password')
      await ada.goto('/nobody-is-here')
      await ada.getByText('User Not Found').waitFor()
      await at('no profile')
    })
  }
})
