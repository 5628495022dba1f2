import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { uploadsFolder } from '../support/files'
import { answerHeld, button, card, enter, toast, told } from '../support/page'
import { gif, jpeg, png, RED } from '../users/pictures'

const folder = await uploadsFolder()
afterAll(folder.remove)

inChromium(
  "people's profiles",
  (site) => {
    test('are renamed live: on the own pages, on boards of others, and at their old address', async () => {
      const { ada, bob, boardId } = await site.sharedBoard(['nora', 'omar'], ['Dig'], { seenBy: ['bob'] })
      await card(bob, 'Dig').click()
      const remark = bob.getByRole('textbox', { name: 'New comment' })
      await ada.goto('/nora')
      await enter(remark, 'Where?', 'Control+Enter')
      await bob.getByRole('link', { name: 'Omar' }).first().waitFor()
      const phone = await bob.context().newPage()
      await phone.goto('/nora')
      await phone.getByRole('heading', { name: 'Nora' }).waitFor()

      // Bob changes his name while Ada looks at the board, from the avatar in its header.
      await ada.goto(`/board/${boardId}`)
      const edit = await bob.context().newPage()
      await edit.goto(`/board/${boardId}`)
      await edit.locator('main header').getByRole('link', { name: 'Omar' }).first().click()
      await edit.waitForURL('**/omar?edit=true')
      const dialog = edit.getByRole('dialog', { name: 'Edit Profile' })
      await dialog.getByLabel('Name', { exact: true }).fill('Omar Khayyam')
      await dialog.getByLabel('Username').fill('N o r a')
      await dialog.getByLabel('Description').fill('Counts the days')
      await button(edit, 'Save Changes').click()
      await toast(edit, 'Update Failed', 'Username already taken')
      await dialog.locator('input[aria-invalid=true]').and(dialog.getByLabel('Username')).waitFor()
      // What was typed is kept, over a reload too.
      await edit.reload()
      expect(await dialog.getByLabel('Description').inputValue()).toBe('Counts the days')
      await dialog.getByLabel('Username').fill('khayyam')
      await edit.route('**/trpc/users.update*', (route) => route.abort(), { times: 1 })
      await button(edit, 'Save Changes').click()
      await toast(edit, 'Update Failed', 'Could not update your profile. Please try again.')
      await button(edit, 'Save Changes').click()
      await toast(edit, 'Profile Updated', 'Your profile has been updated successfully.')
      await edit.waitForURL((url) => url.pathname === '/khayyam' && url.search === '')
      await edit.getByRole('heading', { name: 'Omar Khayyam' }).waitFor()
      await edit.getByText('Counts the days').waitFor()

      await ada.locator('main header').getByRole('link', { name: 'Omar Khayyam' }).first().waitFor()
      await bob.getByRole('link', { name: 'Omar Khayyam' }).first().waitFor()
      await ada.goto('/omar?tab=support')
      await ada.waitForURL('**/khayyam?tab=support')
      await ada.getByRole('heading', { name: 'Omar Khayyam' }).waitFor()

      // And Ada hers, while Bob looks at her profile under the old name.
      await ada.goto('/nora?edit=true')
      await ada.getByLabel('Username').fill('noreen')
      await button(ada, 'Save Changes').click()
      await ada.waitForURL((url) => url.pathname === '/noreen')
      await phone.waitForURL((url) => url.pathname === '/noreen')
      // A dialog that is closed without a change asks nothing of the server.
      await button(ada, 'Edit Profile').click()
      await button(ada, 'Save Changes').click()
      await ada.getByRole('dialog').waitFor({ state: 'detached' })
    })

    test('have a picture, which others see at once; what is no picture is refused', async () => {
      const { ada, bob } = await site.sharedBoard(['pia', 'quentin'], [], { seenBy: ['bob'] })
      await ada.goto('/pia')
      const choose = (name: string, mimeType: string, buffer: Buffer) =>
        ada.getByLabel('Avatar image').setInputFiles({ name, mimeType, buffer })
      expect(await button(ada, 'Remove avatar').isDisabled()).toBe(true)
      await choose('a.txt', 'text/plain', Buffer.from('text'))
      await toast(ada, 'Invalid File Type', 'Please select an image file (JPEG, PNG, etc.).')
      await choose('a.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
      await toast(ada, 'Invalid File Type')
      await choose('large.png', 'image/png', Buffer.alloc(5 * 2 ** 20 + 1))
      await toast(ada, 'File Too Large', 'Please select an image smaller than 5MB.')
      await choose('moving.gif', 'image/gif', gif(2))
      await toast(ada, 'Upload Failed', 'Animated images are not supported. Please select a still image.')
      await ada.route('**/api/upload/avatar', (route) => route.abort(), { times: 1 })
      const picture = await jpeg(png([64, 48], () => RED))
      // After a failure the page asks what holds; an answer from before the next upload comes too late.
      const asked = await answerHeld(ada, 'auth.session')
      await choose('me.jpg', 'image/jpeg', picture)
      await toast(ada, 'Upload Failed', 'Could not upload image. Please try again.')
      await asked.given
      await choose('me.jpg', 'image/jpeg', picture)
      await toast(ada, 'Upload Successful', 'Your avatar image has been uploaded.')
      asked.release()
      const seen = bob.locator('main header').locator('img[src^="/uploads/avatars/"]').first()
      await seen.waitFor()
      expect(await seen.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([256, 256])
      await ada.locator('article img[src^="/uploads/avatars/"]').waitFor()
      await button(ada, 'Remove avatar').click()
      await toast(ada, 'Avatar Removed', 'Your profile image has been reset to default.')
      await seen.waitFor({ state: 'detached' })
    })

    test('hold the switches of mails, the plan and the way to help; an email that is hidden is not shown', async () => {
      const [ada, bob] = await Promise.all([site.account('rosa'), site.account('stan')])
      await ada.goto('/rosa')
      await ada.getByRole('tab', { name: 'Notifications' }).click()
      await ada.waitForURL('**/rosa?tab=notifications')
      const is = (name: string, checked: boolean) => ada.getByRole('switch', { name, checked }).waitFor()
      await ada.route('**/trpc/users.setNotifications*', (route) => route.abort(), { times: 1 })
      await ada.getByRole('switch', { name: 'Time Entries' }).click()
      await toast(ada, 'Update Failed', 'Could not update notification settings. Please try again.')
      await is('Time Entries', true)
      await ada.getByRole('switch', { name: 'Email Notifications' }).click()
      await toast(ada, 'Notification Settings Updated', 'Your preferences have been saved.')
      for (const name of ['Task Assignment', 'New Comments', 'Board Updates', 'Time Entries']) {
        await is(name, false)
        expect(await ada.getByRole('switch', { name }).isDisabled()).toBe(true)
      }
      await ada.getByRole('tab', { name: 'Support' }).click()
      await ada.getByRole('heading', { name: 'Customer Support' }).waitFor()
      expect(await button(ada, 'Booking is not set up').isDisabled()).toBe(true)
      await button(ada, 'Upgrade to Pro').click()
      await ada.getByRole('heading', { name: 'Free Plan' }).waitFor()
      await ada.getByRole('cell', { name: 'Email, within 72 hours' }).waitFor()
      await ada.getByRole('link', { name: 'Upgrade to Pro' }).click()
      await ada.waitForURL('**/subscribe')

      await bob.goto('/rosa')
      expect(await bob.getByRole('link', { name: 'Email' }).getAttribute('href')).toBe('mailto:rosa@example.com')
      await ada.goto('/rosa')
      await ada.getByRole('switch', { name: 'Show my email on my profile' }).click()
      await toast(ada, 'Profile Updated')
      await ada.getByRole('link', { name: 'Your public profile' }).click()
      await ada.getByText('This is how others see you').waitFor()
      expect(await ada.getByText('rosa@example.com').count()).toBe(0)
      await ada.getByRole('link', { name: 'Back to your profile' }).click()
      await ada.getByText('rosa@example.com').waitFor()
      await bob.reload()
      await bob.getByRole('button', { name: 'Manage Board Access' }).waitFor()
      expect(await bob.getByRole('link', { name: 'Email' }).count()).toBe(0)
      await bob.goto('/nobody-at-all')
      await bob.getByText("The user you're looking for doesn't exist.").waitFor()
    })

    test('lead to the boards that one shares with a person', async () => {
      const [ada, bob] = await Promise.all([site.account('tess'), site.dashboard('ulf')])
      const create = async (page: Page, name: string, member?: string) => {
        const { id } = await (await page.request.post('/api/boards', { data: { name } })).json()
        if (member) await page.request.post(`/api/boards/${id}/members`, { data: { username: member } })
      }
      await ada.goto('/ulf')
      await button(ada, 'Manage Board Access').click()
      await ada.getByText("You don't have any boards yet.").waitFor()
      await ada.getByRole('link', { name: 'Create a Board' }).click()
      await ada.getByLabel('Board Name').fill('Own')
      await button(ada, 'Create Board').click()
      await ada.waitForURL(/\/board\/\d+$/)
      await create(bob, 'His', 'tess')
      const cleo = await site.account('vera')
      await create(cleo, 'Hers', 'tess')

      await ada.goto('/ulf')
      await button(ada, 'Manage Board Access').click()
      const dialog = ada.getByRole('dialog', { name: 'Manage Board Access' })
      const box = (name: string) => dialog.getByRole('checkbox', { name })
      await dialog.getByText('Creator', { exact: true }).waitFor()
      expect([await box('His').isChecked(), await box('His').isDisabled()]).toEqual([true, true])
      await dialog.getByText('His', { exact: true }).click({ force: true })
      await told(ada, 'Cannot Remove Creator', 'Board creators cannot be removed from their own boards.')
      expect(await box('His').isChecked()).toBe(true)
      expect(await button(ada, 'Apply Changes').isDisabled()).toBe(true)
      await box('Own').check()
      await box('Own').uncheck()
      expect(await button(ada, 'Apply Changes').isDisabled()).toBe(true)
      await box('Own').check()
      await ada.route('**/trpc/boards.addMember*', (route) => route.abort(), { times: 1 })
      await button(ada, 'Apply Changes').click()
      await toast(ada, 'Update Failed', 'Failed to update board access. Please try again.')
      await box('Hers').check()
      await ada.route('**/trpc/boards.addMember*', (route) => route.abort(), { times: 1 })
      await button(ada, 'Apply Changes').click()
      await toast(ada, 'Board Access Updated', 'Invited to 1 board(s). 1 operation(s) failed.')
      // What failed is chosen still.
      await button(ada, 'Apply Changes').click()
      await toast(ada, 'Board Access Updated', 'Invited to 1 board(s).')
      await dialog.waitFor({ state: 'detached' })
      await bob.getByRole('link', { name: 'Hers' }).first().waitFor()

      await button(ada, 'Manage Board Access').click()
      await dialog.getByText('Member', { exact: true }).nth(1).waitFor()
      // Only its creator could take him off that one.
      expect([await box('Hers').isChecked(), await box('Hers').isDisabled()]).toEqual([true, true])
      await box('Own').uncheck()
      await button(ada, 'Apply Changes').click()
      await toast(ada, 'Board Access Updated', 'Removed from 1 board(s).')
      await bob.getByRole('link', { name: 'Own' }).first().waitFor({ state: 'detached' })
    })
  },
  folder.env,
)
