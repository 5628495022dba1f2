import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { button, card, hasFocus, heldBack, keys, press, type } from '../support/page'
import { closeTask } from './timePages'

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
  test('in Hebrew or Arabic has its boxes, lists, names and foreign paragraphs where they are read', async () => {
    const { ada, taskId } = await site.ownBoard(['gad', 'hila'], ['One'])
    const description = 'שלום\n\n- ענצר\n- [ ] משימה\n\nEnglish with עברית inside.'
    await ada.request.patch(`/api/tasks/${taskId}`, { data: { description } })
    await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'أنا أحضرها غداً @gad — thanks!' } })
    await card(ada, 'One').click()
    const box = ada.getByRole('checkbox', { name: 'משימה' })
    await box.waitFor()
    const placed = await box.evaluate((box) => {
      const all = box.closest('[dir=auto]')
      const textIn = (element: Element | null | undefined) => {
        const range = document.createRange()
        const text = [...(element?.childNodes ?? [])].find((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
        if (text) range.selectNodeContents(text)
        return range.getBoundingClientRect()
      }
      const [panel, tick] = [all?.getBoundingClientRect(), box.getBoundingClientRect()]
      const english = textIn(all?.querySelector(':scope > p:last-child'))
      return {
        boxIsBeforeItsText: tick.left >= textIn(box.parentElement).right,
        boxIsInside: tick.right <= (panel?.right ?? 0),
        itemIsInside: textIn(all?.querySelector('li')).right < (panel?.right ?? 0) - 10,
        englishBeginsLeft: Math.abs(english.left - (panel?.left ?? 0)) < 2,
      }
    })
    expect(placed).toEqual({ boxIsBeforeItsText: true, boxIsInside: true, itemIsInside: true, englishBeginsLeft: true })
    // Else the direction of the text around would take the @ to the other side of the name.
    const mention = ada.getByRole('list', { name: 'Comments' }).locator('[data-mention]')
    expect(await mention.evaluate((link) => getComputedStyle(link).unicodeBidi)).toBe('isolate')
  })

  test('is Markdown to read, runs and loads nothing, and is a field once one writes', async () => {
    const { ada, bob, taskId } = await site.sharedBoard(['jan', 'kai'], ['One'])
    const foreign: string[] = []
    bob.on('request', (request) => {
      if (!request.url().startsWith('http://localhost')) foreign.push(request.url())
    })
    await ada.request.patch(`/api/tasks/${taskId}`, { data: { description: HOSTILE } })
    await card(bob, 'One').click()
    const dialog = bob.getByRole('dialog')
    await dialog.getByRole('link', { name: 'the list' }).waitFor()
    expect(await dialog.getByRole('link', { name: 'the list' }).getAttribute('rel')).toContain('noopener')
    await dialog.getByRole('checkbox', { name: 'paper', checked: true }).waitFor()
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
  test('has lists that go on by Enter and boxes by a button, and the field takes back what was typed', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['kea', 'knut'], ['One'])
    await card(ada, 'One').click()
    const field = ada.getByRole('textbox', { name: 'Description' })
    const holds = async (text: string) => expect(await field.inputValue()).toBe(text)
    await button(ada, 'Checklist').first().click()
    await hasFocus(field)
    await type(ada, 'Paper', 'Enter')
    await ada.keyboard.type('Ink')
    await holds('- [ ] Paper\n- [ ] Ink')
    await keys(ada, 'Enter', 'Enter')
    await holds('- [ ] Paper\n- [ ] Ink\n\n')
    await ada.keyboard.press('Control+z')
    await holds('- [ ] Paper\n- [ ] Ink\n- [ ] ')
    await ada.keyboard.press('Control+z')
    await holds('- [ ] Paper\n- [ ] Ink')
    await ada.keyboard.press('Control+y')
    await type(ada, 'Glue', 'Enter', 'Enter')
    await type(ada, '9. Nine', 'Enter')
    await type(ada, 'Ten', 'Enter', 'Enter')
    await type(ada, '  - One', 'Enter', 'Shift+Enter')
    await ada.keyboard.type('Plain')
    await holds('- [ ] Paper\n- [ ] Ink\n- [ ] Glue\n\n9. Nine\n10. Ten\n\n  - One\n  - \nPlain')
    // What one has written becomes a box; in front of words Enter only breaks the line.
    await button(ada, 'Checklist').first().click()
    await keys(ada, 'Home', 'Enter')
    await holds('- [ ] Paper\n- [ ] Ink\n- [ ] Glue\n\n9. Nine\n10. Ten\n\n  - One\n  - \n\n- [ ] Plain')
    const devtools = await ada.context().newCDPSession(ada)
    await ada.keyboard.press('End')
    await devtools.send('Input.imeSetComposition', { text: 'かみ', selectionStart: 2, selectionEnd: 2 })
    // As it comes while one composes: the Enter that takes what is offered.
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', windowsVirtualKeyCode: 229 })
    await devtools.send('Input.insertText', { text: '紙' })
    await holds('- [ ] Paper\n- [ ] Ink\n- [ ] Glue\n\n9. Nine\n10. Ten\n\n  - One\n  - \n\n- [ ] Plain紙')
    await findsNothing(ada, 'a description with a list')
    await press(ada, 'Save & Close')
    await card(bob, 'One').getByText('0/4').waitFor()
    await bob.goto(`/board/${boardId}`)
    await card(bob, 'One').click()
    // From what is read, a new one follows.
    await button(bob, 'Checklist').first().click()
    await bob.keyboard.type('Bob')
    expect(await bob.getByRole('textbox', { name: 'Description' }).inputValue()).toEndWith('- [ ] Plain紙\n- [ ] Bob')
    const comment = bob.getByRole('textbox', { name: 'New comment' })
    await comment.fill('Ask')
    await bob.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'Checklist' }).click()
    await bob.keyboard.press('Enter')
    await bob.keyboard.type('Kea')
    expect(await comment.inputValue()).toBe('- [ ] Ask\n- [ ] Kea')
  })

  test('so are comments, with mentions, at their height from the start; who wrote one ticks its boxes', async () => {
    const { ada, bob, boardId, taskId: id } = await site.sharedBoard(['kira', 'kolja'], ['One'], { seenBy: ['ada'] })
    const content = `${HOSTILE}\nAsk @kolja\nor @kira, \`@kolja\`\n\n    a long line of code ${'1234567890 '.repeat(50)}.`
    await ada.request.post(`/api/tasks/${id}/comments`, { data: { content } })
    await bob.addInitScript(noteHeights)
    await bob.goto(`/board/${boardId}#task-${id}`)
    const comment = (page: Page) => page.getByRole('list', { name: 'Comments' }).getByRole('listitem').first()
    await comment(bob).getByRole('link', { name: 'the list' }).waitFor()
    expect(await bob.evaluate(() => globalThis.heights.size)).toBe(1)
    expect(await comment(bob).locator('script, iframe, [onerror], img:not([alt=""]), [href^=javascript]').count()).toBe(0)
    expect(await comment(bob).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
    await comment(bob).getByRole('checkbox', { name: 'ink', disabled: true }).waitFor()
    await findsNothing(bob, 'a comment in Markdown')

    await card(ada, 'One').click()
    await comment(ada).getByRole('checkbox', { name: 'ink', checked: false }).click()
    await comment(bob).getByRole('checkbox', { name: 'ink', checked: true }).waitFor()
    await ada.getByRole('list', { name: 'Notifications' }).getByText('ink').waitFor()
    await press(ada, 'Edit comment')
    const source = await ada.getByRole('textbox', { name: 'Edit comment' }).inputValue()
    expect(source).toBe(content.replace('[ ] ink', '[x] ink'))
    await keys(ada, 'Escape', 'Control+z')
    await comment(bob).getByRole('checkbox', { name: 'ink', checked: false }).waitFor()
    const page = await bob.evaluateHandle(() => document.body)
    await comment(bob).getByRole('link', { name: '@kira' }).click()
    await bob.waitForURL('**/kira')
    expect(await page.evaluate((body) => body.isConnected)).toBe(true)
  })

  test('lists are ticked by key and counted on the card; what two tick at once counts, and so does what waited', async () => {
    const { ada, bob } = await site.sharedBoard(['lisa', 'levi'], ['One'])
    const path = `/api/tasks/${await card(ada, 'One').getAttribute('data-task')}`
    const change = (description: string) => bob.request.patch(path, { data: { description } })
    const list = `${'A long beginning. '.repeat(30)}\n\n- [ ] roots\n- [ ] stones\n  - [ ] [seeds](https://a.example)`
    const counts = (page: Page, count: string) => card(page, 'One').getByText(count, { exact: true }).waitFor()
    const box = (name: string) => ada.getByRole('dialog').getByRole('checkbox', { name })
    await change(list)
    await counts(bob, '0/3')
    await Promise.all([ada.reload(), bob.reload()])
    await counts(bob, '0/3')
    expect(await card(bob, 'One').textContent()).toContain('0/3done')
    await card(ada, 'One').click()
    await box('roots').press('Space')
    await counts(bob, '1/3')
    await hasFocus(ada.getByRole('dialog').getByRole('checkbox', { name: 'roots', checked: true }))
    await findsNothing(ada, 'a list to tick')

    const release = await heldBack(ada, 'tasks.update')
    await box('stones').press('Space')
    await counts(ada, '2/3')
    await change(`First:\n\n${list.replace('[ ] roots', '[x] roots').replace('[ ] [s', '[x] [s')}`)
    await release()
    await Promise.all([ada, bob].map((page) => counts(page, '3/3')))
    await hasFocus(box('stones'))
    await ada.keyboard.press('Control+z')
    await counts(bob, '2/3')

    await ada.context().setOffline(true)
    await box('stones').click()
    await box('roots').click()
    await counts(ada, '2/3')
    await box('seeds').click()
    await counts(ada, '1/3')
    await change(list.replace('seeds', 'bulbs').replace('[ ] roots', '[x] roots'))
    await ada.context().setOffline(false)
    await counts(bob, '1/3')
    await ada.getByText('One change you made offline could not be saved.').waitFor()
    await closeTask(ada)
    await press(ada, 'Review')
    await ada.getByRole('dialog', { name: 'Not saved' }).getByText('seeds').waitFor()
    expect((await (await bob.request.get(path)).json()).description).toContain('- [ ] roots\n- [x] stones\n  - [ ] [bulbs]')
  })
})

declare global {
  var heights: Set<number>
}

/** Of the comment that is shown. */
function noteHeights() {
  globalThis.heights = new Set()
  new MutationObserver(() => {
    const comment = document.querySelector<HTMLElement>('ul[aria-label=Comments] li')
    if (comment) globalThis.heights.add(comment.offsetHeight)
  }).observe(document, { subtree: true, childList: true })
}
