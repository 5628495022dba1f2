import { afterAll, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium, register } from '../support/chromium'
import { isNoConfirmation, mailbox } from '../support/mail'
import { button, dialog, enter, isOn, logIn, toast } from '../support/page'
import { PASSWORD } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())

const linkTo = async (address: string) => (await box.next(address, isNoConfirmation)).link ?? ''
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('inviteRedirect'))

async function inviteByHand(page: Page, email: string) {
  await enter(page.getByLabel('Email address'), email)
}

async function fails(page: Page, reason: string) {
  await heading(page, 'Invitation Error')
  await page.getByText(reason, { exact: true }).waitFor()
}

inChromium(
  'invitations',
  (site) => {
    test('lead from the popover by mail, through registration, to the board, once', async () => {
      const { ada, bob, boardId } = await site.sharedBoard(['ivy', 'jon'], [])
      const new_ = await site.open('somebody new')
      const email = 'somebody.with.a.long.address@example.org'
      for (const page of [ada, bob]) await button(page, 'Invite Members').click()
      await inviteByHand(ada, ` ${email} `)
      await toast(ada, 'Invitation Sent', 'somebody.with.a.long.address@e... has been invited to the board.')
      for (const page of [ada, bob]) await page.getByText('Expires in 7 days').waitFor()
      expect(await ada.getByLabel('Email address').inputValue()).toBe('')
      await findsNothing(ada, 'the popover of invitations')
      // Any member may send it again; who did not send it, and is not the creator, may not take it back.
      expect(await button(bob, `Revoke the invitation to ${email}`).count()).toBe(0)

      const link = await linkTo(email)
      await new_.goto(link)
      await heading(new_, "You've Been Invited")
      for (const text of ['Ivy invites you to', 'Spring catalogue', email]) await new_.getByText(text, { exact: true }).waitFor()
      await findsNothing(new_, 'an invitation')
      await new_.getByRole('link', { name: 'Sign in to accept' }).click()
      await new_.waitForURL('**/login')
      expect(await stored(new_)).toBe(link)
      // Nobody with this address had an account: what is open is the form that makes one.
      expect(await new_.getByLabel('Email', { exact: true }).inputValue()).toBe(email)
      await heading(new_, 'Create an account to join Spring catalogue.')
      await new_.getByLabel('Username').fill('newcomer')
      await new_.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(new_, 'Create account').click()
      await new_.getByText('You join as').waitFor()
      expect(new_.url()).toBe(link)
      expect(await stored(new_)).toBeNull()
      // Their address is proven by the invitation, so no mail asks them to confirm it.
      expect(await new_.getByRole('note').count()).toBe(0)
      expect((await new_.request.get('/api/auth/me').then((me) => me.json())).emailVerified).toBe(true)
      await new_.goto('/')
      await new_.getByText('Welcome, newcomer').waitFor()
      expect(await new_.getByText('confirm', { exact: false }).count()).toBe(0)
      await new_.goto(link)
      await findsNothing(new_, 'an invitation to accept')

      await button(new_, 'Join Board').click()
      await toast(new_, 'Board Joined', 'You have successfully joined the board: Spring catalogue.')
      await new_.waitForURL(`**/board/${boardId}`)
      await heading(new_, 'Spring catalogue')
      await toast(ada, 'New Member', 'newcomer has joined the board.')
      await ada.getByText(email).waitFor({ state: 'detached' })
      expect(await stored(new_)).toBeNull()

      await new_.goto(link)
      await fails(new_, 'This invitation is invalid or has expired.')
      await findsNothing(new_, 'an invitation that is over')
      await new_.getByRole('link', { name: 'Go to Home' }).click()
      await new_.getByText('Welcome, newcomer').waitFor()
    })

    test('tell a wrong account so, can be used with another, and outlive a lost connection', async () => {
      const { ada, bob, boardId } = await site.sharedBoard(['lou', 'max'], [])
      const [eve, kim] = [await site.account('eve'), await site.account('kim')]
      await ada.request.post(`/api/boards/${boardId}/members`, { data: { email: 'kims@example.org' } })
      const link = await linkTo('kims@example.org')

      await eve.goto(link)
      await eve.getByRole('note').filter({ hasText: 'The invitation was sent to a different email' }).waitFor()
      for (const text of ['kims@example.org', 'eve@example.com']) await eve.getByText(text, { exact: true }).waitFor()
      await findsNothing(eve, 'an invitation of somebody else')
      await eve.route('**/trpc/auth.logout*', (route) => route.abort(), { times: 1 })
      await button(eve, 'Use another account').click()
      await toast(eve, 'Logout Failed')
      expect(await stored(eve)).toBeNull()
      await button(eve, 'Use another account').click()
      await eve.waitForURL('**/login')
      await eve.getByText('Spring catalogue').waitFor()
      await logIn(eve, 'kim')
      await eve.getByText('kim@example.com', { exact: true }).waitFor()

      await eve.route('**/trpc/invitations.accept*', (route) => route.abort(), { times: 1 })
      await button(eve, 'Join Board').click()
      await fails(eve, 'Failed to join the board. Please try again later.')
      await isOn(eve, 'Invitation Error')
      await button(eve, 'Try again').click()
      await isOn(eve, "You've Been Invited")
      // This time the answer is lost, not the question.
      await eve.route('**/trpc/invitations.accept*', (route) => route.fetch().then(() => route.abort()), { times: 1 })
      await button(eve, 'Join Board').click()
      await eve.waitForURL(`**/board/${boardId}`)
      expect(await stored(eve)).toBeNull()
      expect((await box.next('lou@example.com', isNoConfirmation)).subject).toBe(
        'Kim accepted your invitation to the board “Spring catalogue”',
      )

      // A member goes straight to the board, whoever a link is for.
      await ada.request.post(`/api/boards/${boardId}/members`, { data: { email: 'another@example.org' } })
      await bob.goto(await linkTo('another@example.org'))
      await bob.waitForURL(`**/board/${boardId}`)
      await kim.goto(`/invite?board=${boardId}`)
      await kim.waitForURL(`**/board/${boardId}`)
    })

    test('take a username, whose bearer is a member at once; one that nobody has is said at the field', async () => {
      const { ada } = await site.ownBoard(['ines', 'jasper'], [])
      await site.account('kasimir')
      await button(ada, 'Invite Members').click()
      const panel = dialog(ada, 'Invite Members')
      await inviteByHand(ada, 'kasimira')
      await panel.getByRole('alert').getByText('Nobody has an account with this username.').waitFor()
      expect(await ada.getByLabel('Email address or username').inputValue()).toBe('kasimira')
      await findsNothing(ada, 'the popover with what is wrong')
      await inviteByHand(ada, ' Kasimir ')
      await toast(ada, 'Member Added', 'kasimir was added to the board.')
      await panel.getByRole('list', { name: 'Members' }).getByText('Kasimir').waitFor()
      expect(await panel.getByRole('alert').count()).toBe(0)
      expect(await ada.getByLabel('Email address or username').inputValue()).toBe('')
    })

    test('are sent again and revoked from the popover; a refusal says why and keeps what was typed', async () => {
      const { ada, bob, boardId } = await site.sharedBoard(['nia', 'oli'], [])
      await button(ada, 'Invite Members').click()
      await inviteByHand(ada, 'no@address')
      await toast(ada, 'Invitation Failed', 'Please enter a valid email address')
      await dialog(ada, 'Invite Members').getByRole('alert').getByText('Please enter a valid email address').waitFor()
      expect(await ada.getByLabel('Email address').inputValue()).toBe('no@address')
      await inviteByHand(ada, 'pat@example.org')
      const [old] = await Promise.all([linkTo('pat@example.org'), button(ada, 'Resend to pat@example.org').click()])
      await toast(ada, 'Invitation Sent', 'pat@example.org has been invited to the board.')
      const renewed = await linkTo('pat@example.org')
      await ada.request.post(`/api/boards/${boardId}/members`, { data: { email: 'oli@example.com' } })
      for (let sent = 2; sent < 5; sent++)
        expect((await ada.request.post(`/api/boards/${boardId}/members`, { data: { email: 'pat@example.org' } })).status()).toBe(
          201,
        )
      await button(ada, 'Resend to pat@example.org').click()
      await toast(ada, 'Invitation Failed', 'Too many emails requested. Please try again in')

      await ada.route('**/trpc/invitations.revoke*', (route) => route.abort(), { times: 1 })
      await button(ada, 'Revoke the invitation to pat@example.org').click()
      await toast(ada, 'Invitation Not Revoked', 'Could not revoke the invitation. Please try again.')
      await button(ada, 'Revoke the invitation to pat@example.org').press('Enter')
      await toast(ada, 'Invitation Revoked', 'Its link no longer works.')
      await ada.getByText('pat@example.org', { exact: true }).waitFor({ state: 'detached' })
      for (const link of [old, renewed]) {
        await bob.goto(link)
        await fails(bob, 'This invitation is invalid or has expired.')
      }
    })

    test('have a link to pass on, which is copied and listed, and ends once the creator turns such links off', async () => {
      const permissions = ['clipboard-read', 'clipboard-write']
      const { ada, bob, boardId } = await site.sharedBoard(['yara', 'zeno'], [], { ada: { permissions } })
      const eve = await site.account('amos')
      for (const page of [ada, bob]) await button(page, 'Invite Members').click()
      await button(ada, 'Copy invite link').click()
      await toast(ada, 'Link Copied')
      const link = await ada.evaluate(() => navigator.clipboard.readText())
      expect(await ada.getByLabel('Anyone with an account can join with this link').inputValue()).toBe(link)
      const row = bob.getByRole('listitem').filter({ hasText: 'Invite link from' })
      await row.getByText('Expires in 7 days').waitFor()
      expect(await row.getByRole('button').count()).toBe(0)
      await findsNothing(ada, 'the popover with an invite link')

      await eve.goto(link)
      await heading(eve, "You've Been Invited")
      expect(await button(eve, 'Decline').count()).toBe(0)
      await button(eve, 'Join Board').click()
      await eve.waitForURL(`**/board/${boardId}`)
      await row.waitFor()

      await ada.getByRole('switch', { name: 'Invite links' }).click()
      await row.waitFor({ state: 'detached' })
      for (const page of [ada, bob]) await button(page, 'Copy invite link').waitFor({ state: 'detached' })
    })

    test('are declined by whoever has the link, which the popover says while it is open', async () => {
      const { ada } = await site.ownBoard(['una', 'vic'], [])
      const nobody = await site.open('nobody')
      await button(ada, 'Invite Members').click()
      await inviteByHand(ada, 'wes@example.org')
      await nobody.goto(await linkTo('wes@example.org'))
      await button(nobody, 'Decline').click()
      const asking = nobody.getByRole('alertdialog', { name: 'Decline this invitation?' })
      await asking.getByRole('button', { name: 'Cancel' }).click()
      await nobody.route('**/trpc/invitations.decline*', (route) => route.abort(), { times: 1 })
      await button(nobody, 'Decline').click()
      await asking.getByRole('button', { name: 'Decline' }).click()
      await toast(nobody, 'Invitation Not Declined', 'Please try again.')
      await ada.getByText('wes@example.org', { exact: true }).waitFor()
      await button(nobody, 'Decline').click()
      await asking.getByRole('button', { name: 'Decline' }).click()
      await isOn(nobody, 'Invitation Declined')
      await nobody.getByText('You have not joined “Spring catalogue”').waitFor()
      await findsNothing(nobody, 'a declined invitation')
      const row = ada.getByRole('listitem').filter({ hasText: 'wes@example.org' }).filter({ hasText: 'Declined' })
      await row.waitFor()
      expect(await row.getByRole('button').count()).toBe(0)
      await ada.keyboard.press('Escape')
      await button(ada, 'Invite Members').click()
      await ada.getByRole('list', { name: 'Members' }).waitFor()
      expect(await row.count()).toBe(0)
      await nobody.reload()
      await fails(nobody, 'This invitation was declined.')
      await nobody.goto('/login')
      await nobody.getByText('Pick up where you left off.').waitFor()

      await inviteByHand(ada, 'wes@example.org')
      await nobody.goto(await linkTo('wes@example.org'))
      const answerLost = async (route: Route) => {
        await route.fetch()
        await route.abort()
      }
      await nobody.route('**/trpc/invitations.decline*', answerLost, { times: 1 })
      for (const _ of ['lost', 'over']) {
        await button(nobody, 'Decline').click()
        await asking.getByRole('button', { name: 'Decline' }).click()
        await asking.waitFor({ state: 'detached' })
      }
      await fails(nobody, 'This invitation was declined.')
    })

    test('that are none, or name a board only, say what can be done', async () => {
      const { ada, boardId } = await site.sharedBoard(['pia', 'quin'], [])
      const nobody = await site.open('nobody')
      for (const address of [
        '/invite',
        '/invite?token=',
        '/invite?board=garden',
        '/invite?board=0',
        '/invite?board=2147483648',
      ]) {
        await nobody.goto(address)
        await fails(nobody, 'Invalid invitation link. No invitation token found.')
      }
      await nobody.goto(`/invite?board=${boardId}`)
      await fails(nobody, 'The board you were invited to does not exist or has been deleted.')
      await nobody.route('**/trpc/invitations.get*', (route) => route.abort(), { times: 1 })
      await nobody.goto('/invite?token=x')
      await fails(nobody, 'Failed to process your invitation. The board may not exist or has expired.')
      await button(nobody, 'Try again').click()
      await fails(nobody, 'This invitation is invalid or has expired.')

      await ada.request.post(`/api/boards/${boardId}/members`, { data: { email: 'rae@example.com' } })
      await nobody.goto(`/invite?board=${boardId}`)
      await nobody.getByText('Spring catalogue').waitFor()
      await nobody.getByText('so you cannot decline it').waitFor()
      expect(await button(nobody, 'Decline').count()).toBe(0)
      await register(nobody, 'sly')
      await nobody.goto(`/invite?board=${boardId}`)
      await button(nobody, 'Join Board').click()
      await fails(nobody, 'This invitation is invalid or has expired.')
      await nobody.getByText('You are signed in as sly@example.com.').waitFor()
      await button(nobody, 'Use another account').click()
      await nobody.waitForURL('**/login')
      expect(await stored(nobody)).toEndWith(`/invite?board=${boardId}`)

      const rae = await site.account('rae')
      await rae.goto(`/invite?board=${boardId}`)
      await button(rae, 'Join Board').click()
      await rae.waitForURL(`**/board/${boardId}`)
    })

    test('bring back whoever left a board from their inbox, which says so, once they accept', async () => {
      const { ada, bob, boardId } = await site.sharedBoard(['wes', 'xena'], [], { seenBy: ['ada'] })
      await bob.goto('/')
      const inbox = dialog(bob, 'Notifications')
      const openInbox = () => bob.getByRole('button', { name: /^Notifications/ }).click()
      const confirm = (name: string) => bob.getByRole('alertdialog').getByRole('button', { name }).click()
      await openInbox()
      await inbox.getByRole('link', { name: 'Wes added you to the board' }).waitFor()
      await findsNothing(bob, 'the inbox of somebody who was added')
      await button(bob, 'Leave Spring catalogue').click()
      await confirm('Leave board')
      await inbox.getByText('Nothing yet.').waitFor()

      await button(ada, 'Invite Members').click()
      await inviteByHand(ada, 'xena')
      await toast(ada, 'Invitation Sent', 'Xena left this board earlier, so we sent an invitation instead.')
      await ada.getByText('Expires in 7 days').waitFor()
      await findsNothing(ada, 'the invitation of an account')
      const back = inbox.getByRole('link', { name: 'Wes invited you back to the board, which you left' })
      await back.click()
      await heading(bob, "You've Been Invited")
      await bob.getByText('Wes invites you to', { exact: true }).waitFor()
      await findsNothing(bob, 'an invitation from the inbox')
      await button(bob, 'Decline').click()
      await confirm('Decline')
      await heading(bob, 'Invitation Declined')
      await ada.getByText('Declined', { exact: true }).waitFor()

      await ada.goto('/xena')
      await button(ada, 'Manage Board Access').click()
      const access = dialog(ada, 'Manage Board Access')
      const box = access.getByRole('checkbox', { name: 'Spring catalogue' })
      await box.check()
      await button(ada, 'Apply Changes').click()
      await toast(ada, 'Board Access Updated', 'Invited to 1 board(s).')
      await access.waitFor({ state: 'detached' })
      await button(ada, 'Manage Board Access').click()
      await access.getByText('Invited', { exact: true }).waitFor()
      expect([await box.isChecked(), await box.isDisabled()]).toEqual([false, true])

      await bob.getByRole('link', { name: 'Go to Home' }).click()
      await openInbox()
      await back.click()
      await button(bob, 'Join Board').click()
      await bob.waitForURL(`**/board/${boardId}`)
      await heading(bob, 'Spring catalogue')
    })
  },
  // Whoever registers comes by a link, and needs it.
  { SIGNUP: 'invited', SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>', MAIL_GATHER_SECONDS: '0' },
)
