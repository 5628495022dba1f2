import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import {
  button,
  card,
  dialog,
  enter,
  hasFocus,
  keys,
  leave,
  menuItem,
  press,
  reconnect,
  says,
  shows,
  toast,
} from '../support/page'

const bar = (page: Page) => page.getByRole('region', { name: 'Selected tasks' })
const selects = (page: Page, count: number) =>
  bar(page)
    .getByRole('status')
    .filter({ hasText: `${count} selected` })
    .waitFor()
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const undo = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })
const isGone = (page: Page) => bar(page).waitFor({ state: 'detached' })
const MODIFIED = { modifiers: ['ControlOrMeta'] } as { modifiers: ['ControlOrMeta'] }

inChromium('several cards', (site) => {
  const openBoard = (names: [string, string], titles = ['One', 'Two', 'Three', 'Four']) => site.sharedBoard(names, titles)

  test('are selected by keys, moved, and moved back by one Undo, live for everyone', async () => {
    const { ada, bob } = await openBoard(['abel', 'bert'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('x')
    await selects(ada, 1)
    expect(await card(ada, 'One').getAttribute('aria-pressed')).toBe('true')
    await ada.keyboard.press('Shift+ArrowDown')
    await selects(ada, 2)
    await hasFocus(card(ada, 'Two'))
    await ada.keyboard.press('x')
    await selects(ada, 1)
    await ada.keyboard.press('ArrowDown')
    await hasFocus(card(ada, 'Three'))
    await ada.keyboard.press('x')
    await selects(ada, 2)
    await findsNothing(ada, 'a selection')
    await ada.emulateMedia({ colorScheme: 'dark' })
    await findsNothing(ada, 'a selection, dark')
    await ada.keyboard.press('3')
    await shows(bob, 'Done', ['One', 'Three'])
    await shows(bob, 'To Do', ['Two', 'Four'])
    await toast(ada, 'Moved to Done', '2 tasks')
    await hasFocus(card(ada, 'Three'))
    // By the menu, too, which gives the focus back to the card.
    await ada.keyboard.press('m')
    await menuItem(ada, 'In Progress').press('Enter')
    await shows(bob, 'In Progress', ['One', 'Three'])
    await hasFocus(card(ada, 'Three'))
    await toast(ada, 'Moved to In Progress', '2 tasks')
    await ada.keyboard.press('Control+z')
    await shows(bob, 'Done', ['One', 'Three'])
    await ada.keyboard.press('Control+z')
    await shows(bob, 'To Do', ['One', 'Two', 'Three', 'Four'])
    await selects(ada, 2)
    await ada.keyboard.press('m')
    await leave(ada.getByRole('menu'))
    await selects(ada, 2)
    await ada.keyboard.press('Escape')
    await isGone(ada)
    await hasFocus(card(ada, 'Three'))
  })

  test('are selected by the pointer and the menu, assigned and tagged together, and each is one Undo', async () => {
    const { ada, bob } = await openBoard(['carl', 'dana'])
    await button(ada, 'Menu for One').press('Enter')
    await menuItem(ada, 'Select').press('Enter')
    await selects(ada, 1)
    // Cards have no buttons while any is selected.
    await hasFocus(card(ada, 'One'))
    expect(await ada.getByRole('button', { name: /^(Menu for|Start the timer on) / }).count()).toBe(0)
    await card(ada, 'Two').click({ button: 'right' })
    await menuItem(ada, 'Select').click()
    await selects(ada, 2)
    await inBar(ada, 'Assign').click()
    await ada.getByRole('menuitemcheckbox', { name: 'Dana' }).click()
    for (const title of ['One', 'Two']) await card(bob, title).getByTitle('Dana').waitFor()
    await toast(ada, 'User Assigned', 'Dana · 2 tasks')
    await ada.keyboard.press('Escape')
    await card(ada, 'Three').click(MODIFIED)
    await selects(ada, 3)
    await inBar(ada, 'Assign').click()
    const dana = ada.getByRole('menuitemcheckbox', { name: 'Dana 2 of 3' })
    expect(await dana.getAttribute('aria-checked')).toBe('mixed')
    await dana.click()
    await card(bob, 'Three').getByTitle('Dana').waitFor()
    await ada.getByRole('menuitemcheckbox', { name: 'Dana', exact: true, checked: true }).click()
    await bob.getByTitle('Dana').and(bob.locator('[data-task] *')).first().waitFor({ state: 'detached' })
    await ada.keyboard.press('Escape')
    await toast(ada, 'Assignee Removed', 'Dana · 3 tasks')
    await undo(ada).click()
    for (const title of ['One', 'Two', 'Three']) await card(bob, title).getByTitle('Dana').waitFor()

    await inBar(ada, 'Tag').click()
    await enter(ada.getByLabel('Tags on 3 tasks'), 'garden')
    for (const title of ['One', 'Two', 'Three']) await card(bob, title).getByText('garden').waitFor()
    await findsNothing(ada, 'tags of several')
    await ada.getByRole('button', { name: 'Remove the tag garden' }).click()
    for (const title of ['One', 'Two', 'Three']) await card(bob, title).getByText('garden').waitFor({ state: 'detached' })
    await ada.keyboard.press('Escape')
    await selects(ada, 3)
    await ada.keyboard.press('Control+z')
    for (const title of ['One', 'Two', 'Three']) await card(bob, title).getByText('garden').waitFor()
    await inBar(ada, 'Clear selection').press('Enter')
    await isGone(ada)
    await hasFocus(card(ada, 'One'))
    await card(ada, 'One').click()
    await ada.getByRole('dialog').waitFor()
  })

  test('are deleted together where they may be, which is asked where more goes, and come back by one Undo', async () => {
    const { ada, bob, boardId } = await openBoard(['emil', 'fred'])
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Five' } })
    await shows(bob, 'To Do', ['One', 'Two', 'Three', 'Four', 'Five'])
    // Who made none of them may delete none.
    await card(bob, 'One').click(MODIFIED)
    await selects(bob, 1)
    await inBar(bob, 'Delete').click()
    await toast(bob, 'Permission Denied', "You don't have permission to delete this task.")
    await card(bob, 'Five').click(MODIFIED)
    await inBar(bob, 'Delete').click()
    await bob
      .getByRole('alertdialog')
      .getByText('1 task will not be deleted: only its creator or the board creator can delete it.')
      .waitFor()
    await bob.getByRole('button', { name: 'Delete Task' }).click()
    await shows(ada, 'To Do', ['One', 'Two', 'Three', 'Four'])
    await undo(bob).click()
    await shows(ada, 'To Do', ['One', 'Two', 'Three', 'Four', 'Five'])

    for (const title of ['One', 'Two', 'Five']) await card(ada, title).click(MODIFIED)
    await inBar(ada, 'Delete').press('Enter')
    await shows(bob, 'To Do', ['Three', 'Four'])
    await isGone(ada)
    await hasFocus(card(ada, 'Three'))
    await toast(ada, 'Tasks Deleted', '3 tasks')
    await ada.keyboard.press('Control+z')
    await shows(bob, 'To Do', ['One', 'Two', 'Three', 'Four', 'Five'])
    const taskId = Number(await card(ada, 'Two').getAttribute('data-task'))
    await ada.request.post('/api/time-entries', { data: { taskId, duration: 65 } })
    await card(ada, 'Two').getByText('1h 5m').waitFor()
    for (const title of ['One', 'Two']) await card(ada, title).click(MODIFIED)
    await inBar(ada, 'Delete').click()
    await says(ada, /^1h 5m of logged time will be deleted with these tasks\. You can restore them for 30 days/)
    await ada.getByRole('button', { name: 'Delete Tasks' }).click()
    await shows(bob, 'To Do', ['Three', 'Four', 'Five'])
  })

  test('are moved offline, kept, and sent once the server is there again, with one Undo then', async () => {
    const { ada, bob } = await openBoard(['gerd', 'hans'])
    await ada.context().setOffline(true)
    for (const title of ['Two', 'Four']) await card(ada, title).click(MODIFIED)
    await selects(ada, 2)
    await ada.keyboard.press('2')
    await shows(ada, 'In Progress', ['Two', 'Four'])
    await shows(bob, 'To Do', ['One', 'Two', 'Three', 'Four'])
    await ada.context().setOffline(false)
    await reconnect(ada)
    await shows(bob, 'In Progress', ['Two', 'Four'])
    await toast(ada, 'Moved to In Progress', '2 tasks')
    await undo(ada).click()
    await shows(bob, 'To Do', ['One', 'Two', 'Three', 'Four'])
  })
})

inChromium('the keys of a card', (site) => {
  test('assign it, set its day, move it, edit its title and time it; none does while one types', async () => {
    const { ada, bob } = await site.sharedBoard(['ines', 'jola'], ['One', 'Two'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('a')
    await hasFocus(ada.getByRole('menuitemcheckbox', { name: 'Ines (you)' }))
    await ada.keyboard.press('Enter')
    await card(bob, 'One').getByTitle('Ines').waitFor()
    await ada.keyboard.press('Escape')
    await hasFocus(card(ada, 'One'))
    await ada.keyboard.press('d')
    await hasFocus(menuItem(ada, 'Today'))
    await ada.keyboard.press('Enter')
    await card(bob, 'One').locator('time').waitFor()
    await hasFocus(card(ada, 'One'))
    await ada.keyboard.press('d')
    await menuItem(ada, 'Pick a date…').press('Enter')
    const picker = dialog(ada, 'Due date')
    await picker.locator('[role=grid] button:focus').waitFor()
    await keys(ada, 'ArrowRight', 'Enter')
    await picker.waitFor({ state: 'detached' })
    await card(bob, 'One').getByText('Due: ', { exact: true }).waitFor({ state: 'attached' })
    await hasFocus(card(ada, 'One'))
    await ada.keyboard.press('m')
    await menuItem(ada, 'Move to Done').press('Enter')
    await shows(bob, 'Done', ['One'])
    await hasFocus(card(ada, 'One'))
    await ada.keyboard.press('2')
    await shows(bob, 'In Progress', ['One'])
    await hasFocus(card(ada, 'One'))
    await ada.keyboard.press('t')
    await card(bob, 'One').getByText('0m').waitFor()

    await ada.keyboard.press('e')
    const title = ada.getByRole('textbox', { name: 'Title' })
    await hasFocus(title)
    await ada.keyboard.type(' and a third x')
    expect(await title.inputValue()).toBe('One and a third x')
    await findsNothing(ada, 'a title on its card')
    await ada.keyboard.press('Enter')
    await shows(bob, 'In Progress', ['One and a third x'])
    await hasFocus(card(ada, 'One and a third x'))
    await ada.keyboard.press('e')
    await title.fill('Never mind, which takes so many words that no card has room for them in one line, nor in two of them')
    // The card grows with it: nothing is covered.
    await title.evaluateHandle((field) => {
      const due = document.querySelector('[data-task]:has(time) time')
      const isBelow = () => (due?.getBoundingClientRect().top ?? 0) >= field.getBoundingClientRect().bottom
      return new Promise<void>((resolve) => {
        const look = () => (isBelow() ? resolve() : requestAnimationFrame(look))
        look()
      })
    })
    await ada.keyboard.press('Escape')
    await hasFocus(card(ada, 'One and a third x'))
    await ada.keyboard.press('Control+z')
    await shows(bob, 'In Progress', ['One'])
    // Leaving the field saves what is in it.
    await hasFocus(card(ada, 'One'))
    await ada.keyboard.press('e')
    await title.fill('Uno')
    await ada.getByRole('heading', { name: 'To Do' }).click()
    await shows(bob, 'In Progress', ['Uno'])

    await ada.keyboard.press('?')
    await says(dialog(ada, 'Keyboard shortcuts').page(), 'Edit its title', 'Select a card, or deselect it')
    await findsNothing(ada, 'the list of keys')
  })

  test('open one menu right after another, however soon', async () => {
    const { ada } = await site.ownBoard(['nele', 'ole'], ['One'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('a')
    await hasFocus(ada.getByRole('menuitemcheckbox', { name: 'Nele (you)' }))
    // Pressed in the moment in which the card has the focus back.
    await card(ada, 'One').evaluate((element) =>
      element.addEventListener(
        'focus',
        () => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', code: 'KeyD', bubbles: true, cancelable: true })),
        { once: true },
      ),
    )
    await ada.keyboard.press('Escape')
    await hasFocus(menuItem(ada, 'Today'))
  })

  test('ask which title stays where somebody changed it meanwhile', async () => {
    const { ada, bob, taskId } = await site.sharedBoard(['kaya', 'lena'], ['One'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('e')
    await ada.getByRole('textbox', { name: 'Title' }).fill('Uno')
    await bob.request.patch(`/api/tasks/${taskId}`, { data: { title: 'Eins' } })
    await says(ada, 'This was changed to “Eins” while you were editing.')
    await ada.keyboard.press('Enter')
    await button(ada, 'Keep mine').click()
    await ada.getByRole('textbox', { name: 'Title' }).press('Enter')
    await shows(bob, 'To Do', ['Uno'])
  })

  test('keep a title that is being typed where its task is deleted meanwhile, to be copied', async () => {
    const { ada } = await site.ownBoard(['kora', 'lilo'], ['One', 'Two'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('e')
    await ada.getByRole('textbox', { name: 'Title' }).fill('One and a half')
    await ada.request.delete(`/api/tasks/${await card(ada, 'One').getAttribute('data-task')}`)
    await toast(ada, 'Task Deleted', 'Copy your text to keep it.')
    await hasFocus(card(ada, 'Two'))
    // Nothing is said where nothing was typed.
    await ada.keyboard.press('e')
    await ada.getByRole('textbox', { name: 'Title' }).waitFor()
    await press(ada, 'Dismiss')
    await ada.request.delete(`/api/tasks/${await card(ada, 'Two').getAttribute('data-task')}`)
    await shows(ada, 'To Do', [])
    expect(await ada.getByText('Task Deleted').count()).toBe(0)
  })
})
