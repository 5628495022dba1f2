import { expect, test } from 'bun:test'
import { findsNothingInBoth } from '../support/axe'
import { inChromium } from '../support/chromium'
import { column, dialog, failsOnce, press, says, shows } from '../support/page'

inChromium('a first board', (site) => {
  test('comes with an example, also after a try without a connection, which says so', async () => {
    const page = await site.dashboard('newcomer')
    await says(page, 'No boards yet', 'Start empty', 'Start with an example', 'Paste a list')
    await findsNothingInBoth(page, 'a dashboard without boards')
    await failsOnce(page, 'boardStarters.example')
    await press(page, 'Create example board')
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await press(page, 'Create example board')
    await page.getByRole('heading', { name: 'Example: our new website' }).waitFor()
    await column(page, 'In Progress').getByText('Sketch the home page').waitFor()
  })

  test('is made of a pasted list, which shows what it will make and keeps what was pasted', async () => {
    const page = await site.dashboard('mover', { viewport: { width: 390, height: 844 } })
    await press(page, 'Paste a list')
    const pasting = dialog(page, 'Paste a list')
    await pasting.getByLabel('Board Name').fill('Moving house')
    const list = '- [ ] Call the movers\n- [x] Give notice\n* Pack'
    await pasting.getByLabel('List', { exact: true }).fill(`${list}\n${'x'.repeat(300)}`)
    await says(page, '4 tasks, 1 of them in Done', 'Line 4 has 300 characters; the limit is 255')
    await findsNothingInBoth(page, 'a pasted list')
    await pasting.getByRole('button', { name: 'Create Board' }).click()
    await says(page, 'Line 4 has 300 characters; a title can have at most 255.')
    await page.keyboard.press('Escape')
    await press(page, 'Paste a list')
    expect(await pasting.getByLabel('Board Name').inputValue()).toBe('Moving house')
    await pasting.getByLabel('List', { exact: true }).fill(list)
    await failsOnce(page, 'boardStarters.fromList')
    await pasting.getByRole('button', { name: 'Create Board' }).click()
    await pasting.getByRole('alert').getByText('You are offline').waitFor()
    await pasting.getByRole('button', { name: 'Create Board' }).click()
    await page.getByRole('heading', { name: 'Moving house' }).waitFor()
    await shows(page, 'To Do', ['Call the movers', 'Pack'])
    await shows(page, 'Done', ['Give notice'])
  })
})
