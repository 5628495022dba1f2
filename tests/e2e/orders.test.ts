import { test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { answerHeld, button, card, channel, heldBack, press, reconnect } from '../support/page'
import { fill, moveBack, timer } from './timePages'

const ENTRIES = '/api/time-entries'

inChromium('whatever arrives first', (site) => {
  async function boardOf(names: [string, string]) {
    const { ada, bob, boardId } = await site.sharedBoard(names, ['One'], { seenBy: ['ada'] })
    return { ada, bob, boardId, taskId: Number(await card(ada, 'One').getAttribute('data-task')) }
  }

  test('a timer that starts during the first read is shown', async () => {
    const { ada, taskId } = await boardOf(['anja', 'arno'])
    const other = await ada.context().newPage()
    const [live, timers] = [await channel(other), await answerHeld(other, 'time.timers')]
    await other.goto('/')
    await timers.given
    await ada.request.post(ENTRIES, { data: { taskId, status: 'ACTIVE' } })
    await live.told('time_entry_added')
    timers.release()
    await timer(other).getByRole('link', { name: 'One' }).waitFor()
  })

  test('a notification that is made during the first read is counted', async () => {
    const { ada, bob, taskId } = await boardOf(['bea', 'benno'])
    const { id: userId } = await (await bob.request.get('/api/auth/me')).json()
    const [live, inbox] = [await channel(bob), await answerHeld(bob, 'notifications.list')]
    await bob.goto('/')
    await inbox.given
    await ada.request.post(`/api/tasks/${taskId}/assignees`, { data: { userId } })
    await live.told('notification_added')
    inbox.release()
    await button(bob, 'Notifications, 2 unread').waitFor()
  })

  test('a comment that is missed during the first read is read', async () => {
    const { ada, bob, boardId, taskId } = await boardOf(['cleo', 'curd'])
    const live = await channel(bob)
    await bob.goto(`/board/${boardId}`)
    await live.told('joined_board')
    const comments = await answerHeld(bob, 'comments.list')
    await card(bob, 'One').click()
    await comments.given
    await live.cut()
    await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'Page 4 is upside down' } })
    await reconnect(bob)
    await live.told('joined_board')
    comments.release()
    await bob.getByRole('list', { name: 'Comments' }).getByText('Page 4 is upside down').waitFor()
  })

  /** A tab on the dashboard in which the note of a forgotten timer is being written. */
  async function writing(ada: Page, taskId: number) {
    const other = await ada.context().newPage()
    const live = await channel(other)
    await other.goto('/')
    const { id } = await (await ada.request.post(ENTRIES, { data: { taskId, status: 'ACTIVE' } })).json()
    await moveBack(taskId, 9 * 3_600_000)
    await other.reload()
    await timer(other).getByRole('button', { name: 'Stop' }).click()
    await fill(other, { minutes: '7', note: 'Half a thought' })
    return { other, live, entry: `${ENTRIES}/${id}` }
  }
  const kept = async (page: Page) => {
    await page.getByText('Copy your note to keep it.').waitFor()
    await button(page, 'Copy my text').waitFor()
    await page.waitForFunction(() => document.querySelector(':focus')?.textContent === 'No timer')
  }

  test('a note is kept of a timer that was stopped while the page was away', async () => {
    const { ada, taskId } = await boardOf(['dora', 'dirk'])
    const { other, live, entry } = await writing(ada, taskId)
    await live.cut()
    await ada.request.patch(entry, { data: { status: 'completed', duration: 5 } })
    await reconnect(other)
    await kept(other)
  })

  test('a note is kept of a timer that was deleted while it was being sent', async () => {
    const { ada, taskId } = await boardOf(['edda', 'emil'])
    const { other, entry } = await writing(ada, taskId)
    const release = await heldBack(other, 'time.update')
    await press(other, 'Stop timer')
    await ada.request.delete(entry)
    await other.getByRole('dialog').waitFor({ state: 'detached' })
    await release()
    await kept(other)
  })
})
