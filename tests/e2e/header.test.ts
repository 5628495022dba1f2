import { expect, test } from 'bun:test'
import { inChromium, sharedBoard, toast } from '../support/chromium'

inChromium('the header of a board', (site) => {
  test('is edited in place, which others see as it begins and when it is done', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    await sharedBoard(ada, bob, ['lia', 'mona'], [])
    const sent: string[] = []
    ada.on('request', (request) => request.url().includes('boards.update') && sent.push(request.postData() ?? ''))
    expect(await bob.getByRole('button', { name: 'Edit board name' }).count()).toBe(0)

    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await bob.getByText('Lia is editing the name…').waitFor()
    await ada.getByRole('textbox', { name: 'Board name' }).fill('   ')
    await ada.keyboard.press('Enter')
    await bob.getByText('Lia is editing the name…').waitFor({ state: 'detached' })
    await ada.getByRole('heading', { name: 'Spring catalogue' }).waitFor()

    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await ada.getByRole('textbox', { name: 'Board name' }).fill('Not this')
    await ada.keyboard.press('Escape')
    await ada.getByRole('button', { name: 'Edit board description' }).click()
    await bob.getByText('Lia is editing the description…').waitFor()
    await ada.getByRole('textbox', { name: 'Board description' }).fill('To the printer')
    await ada.keyboard.press('Enter')
    await toast(ada, 'Board Updated')
    await bob.getByText('To the printer').waitFor()
    expect(sent).toHaveLength(1)

    await ada.route('**/trpc/boards.update*', (route) => route.abort(), { times: 1 })
    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await ada.getByRole('textbox', { name: 'Board name' }).fill('Autumn catalogue')
    await ada.keyboard.press('Enter')
    await toast(ada, 'Update Failed', 'Could not update board name. Please try again.')
    // What was typed is there again, to be sent again.
    expect(await ada.getByRole('textbox', { name: 'Board name' }).inputValue()).toBe('Autumn catalogue')
    await ada.keyboard.press('Enter')
    await bob.getByRole('heading', { name: 'Autumn catalogue' }).waitFor()
  })
})
