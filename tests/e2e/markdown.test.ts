import { expect, test } from 'bun:test'
import { inChromium, sharedBoard } from '../support/chromium'
import { card } from '../support/page'

const HOSTILE = `# Order

Call **Lin**, see [the list](https://example.com/list) and https://example.com/more

- [x] paper
- [ ] ink

| a | b |
|---|---|
| 1 | 2 |

<script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">
[click](javascript:window.pwned=3) ![pixel](https://evil.example/pixel.png) <a href="javascript:alert(1)">raw</a>
`

inChromium('a description', (site) => {
  test('is Markdown to read, runs and loads nothing, and is a field once one writes', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const boardId = await sharedBoard(ada, bob, ['jan', 'kai'], ['One'])
    const [task] = await (await ada.request.get(`/api/boards/${boardId}/tasks`)).json()
    const foreign: string[] = []
    bob.on('request', (request) => {
      if (!request.url().startsWith('http://localhost')) foreign.push(request.url())
    })
    await ada.request.patch(`/api/tasks/${task.id}`, { data: { description: HOSTILE } })
    await card(bob, 'One').click()
    const dialog = bob.getByRole('dialog')
    await dialog.getByRole('link', { name: 'the list' }).waitFor()
    expect(await dialog.getByRole('link', { name: 'the list' }).getAttribute('rel')).toContain('noopener')
    await dialog.getByRole('img', { name: 'Done:' }).waitFor()
    await dialog.getByRole('cell', { name: '2' }).waitFor()
    expect(await dialog.locator('script, iframe, [onerror], img:not([alt=""])').count()).toBe(0)
    const addresses = await dialog.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(addresses.filter((address) => /^javascript/i.test(address))).toEqual([])
    expect(await bob.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined()
    expect(foreign).toEqual([])

    // Leaving the field unchanged shows it rendered again; what was written stays a draft.
    await dialog.getByRole('button', { name: 'Edit the description' }).click()
    const field = dialog.getByRole('textbox', { name: 'Description' })
    expect(await field.inputValue()).toBe(HOSTILE.trim())
    await dialog.getByRole('textbox', { name: 'Title' }).focus()
    await dialog.getByRole('link', { name: 'the list' }).waitFor()
    await dialog.getByText('Order', { exact: true }).click()
    await field.fill('_short_')
    await bob.getByRole('button', { name: 'Save & Close' }).click()
    await card(ada, 'One').getByText('short').waitFor()
  })
})
