import { expect, spyOn, test } from 'bun:test'
import { inChromium } from '../support/chromium'
import { until } from '../support/until'

inChromium('a wait that ends in vain', (site) => {
  test('prints what every open page shows, and what it said', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    await ada.goto('/login')
    await bob.goto('/privacy')
    await ada.evaluate(() => console.info('Half a thought'))
    using said = spyOn(console, 'error').mockImplementation(() => {})
    await expect(ada.getByText('Nowhere').waitFor({ timeout: 1 })).rejects.toThrow('Timeout')
    await until('both pages are told of', () => said.mock.calls.length === 2)
    const [first, second] = said.mock.calls.map(String).toSorted()
    expect(first).toMatch(/^the page of ada at \S+\/login\n.*Half a thought.*button "Log In"/s)
    expect(second).toMatch(/^the page of bob at \S+\/privacy\n.*heading/s)
  })
})
