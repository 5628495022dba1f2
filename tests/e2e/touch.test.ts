import { expect, test } from 'bun:test'
import { inChromium, sharedBoard } from '../support/chromium'
import { card, shows } from '../support/page'

inChromium('the board on a phone', (site) => {
  test('a card is moved by taps alone, up, down and to other columns, and others see it', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const [ada, bob] = await Promise.all([site.open('ada', phone), site.open('bob')])
    await sharedBoard(ada, bob, ['tove', 'udo'], ['One', 'Two', 'Three'])
    const choose = async (title: string, item: string) => {
      await ada.getByRole('button', { name: `Menu of ${title}` }).tap()
      await ada.getByRole('menuitem', { name: item, exact: true }).tap()
      await ada.waitForFunction((name) => document.querySelector(':focus')?.textContent?.startsWith(name), title)
    }
    await choose('Three', 'Move up')
    await shows(bob, 'To Do', ['One', 'Three', 'Two'])
    await choose('Three', 'Move up')
    await shows(bob, 'To Do', ['Three', 'One', 'Two'])
    await choose('One', 'Move down')
    await shows(bob, 'To Do', ['Three', 'Two', 'One'])
    await choose('Two', 'Move to Done')
    await shows(bob, 'Done', ['Two'])
    await shows(ada, 'To Do', ['Three', 'One'])
    expect(await ada.getByRole('status').filter({ hasText: 'Two dropped, Done, place 1.' }).count()).toBe(1)

    await ada.getByRole('button', { name: 'Menu of Three' }).tap()
    expect(await ada.getByRole('menuitem', { name: 'Move up' }).getAttribute('aria-disabled')).toBe('true')
    await ada.keyboard.press('Escape')
    await ada.getByRole('menu').waitFor({ state: 'detached' })
    await card(ada, 'Three').tap()
    await ada.getByRole('dialog').getByRole('heading', { name: 'Three' }).waitFor({ state: 'attached' })

    // Time that somebody may invoice does not go unasked; what goes can be brought back, also after another toast.
    const taskId = Number(await card(ada, 'Three').getAttribute('data-task'))
    await ada.request.post('/api/time-entries', { data: { taskId, duration: 65 } })
    await ada.getByText('1h 5m').first().waitFor()
    await ada.getByRole('button', { name: 'Delete Task' }).tap()
    await ada.getByText('1h 5m of logged time will go with this task').waitFor()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Task' }).tap()
    await shows(bob, 'To Do', ['One'])
    await ada.getByRole('button', { name: 'Undo' }).tap()
    await shows(bob, 'To Do', ['Three', 'One'])

    // News lies over the page on a phone: a touch beside it puts it away.
    await ada.getByRole('button', { name: 'Add Task' }).first().tap()
    await ada.getByLabel('Title').fill('Four')
    await ada.getByRole('button', { name: 'Create Task' }).tap()
    const news = ada.getByRole('list', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: 'Task Created' })
    await news.waitFor()
    await ada.getByRole('heading', { name: 'To Do' }).tap()
    expect(await news.count()).toBe(0)
  })
})
