import { expect, test } from 'bun:test'
import { inChromium } from '../support/chromium'
import { card, press, toast } from '../support/page'

const ID = '0b5e63b2-6f5e-4a55-8d0a-0123456789ab'
const FAULT = { message: 'Something went wrong on our side.', code: 'INTERNAL_SERVER_ERROR', requestId: ID }

inChromium('a fault of the server', (site) => {
  test('has its number beside what the page says of it, to be copied', async () => {
    const { ada } = await site.ownBoard(['addy', 'benno'], ['One'], { permissions: ['clipboard-read', 'clipboard-write'] })
    await card(ada, 'One').click()
    await ada.route('**/trpc/comments.create*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: FAULT.message, code: -32603, data: FAULT } } }),
    )
    await ada.getByRole('textbox', { name: 'New comment' }).fill('Hello')
    await press(ada, 'Send')
    await toast(ada, ID)
    await press(ada, 'Copy the request ID')
    await ada.getByText('Copied').waitFor()
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe(ID)
  })

  test('has it where a board cannot be shown', async () => {
    const { ada, boardId } = await site.ownBoard(['alva', 'bosse'], [])
    await ada.route('**/snapshot', (route) => route.fulfill({ status: 500, headers: { 'x-request-id': ID }, json: FAULT }))
    await ada.goto(`/board/${boardId}`, { waitUntil: 'commit' })
    await ada.getByRole('alert').getByText(ID).waitFor()
  })
})
