import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium, sharedBoard } from '../support/chromium'
import { formWith, PNG, uploadsFolder } from '../support/files'
import { button, card, dialog, hasFocus, leave, press, scriptHeldBack, shows, toast, told } from '../support/page'

const uploads = await uploadsFolder()
afterAll(uploads.remove)

inChromium(
  'a task that is opened',
  (site) => {
    /** Notes in each frame where each part of the panel is. */
    const watchPanel = (page: Page) =>
      page.evaluate(() => {
        const places: Record<string, number[]> = {}
        Object.assign(window, { places })
        const note = (name: string, top: number) => {
          const known = places[name] ?? []
          places[name] = known.includes(Math.round(top)) ? known : [...known, Math.round(top)]
        }
        const look = () => {
          const panel = document.querySelector('[role=dialog]')
          // As it opens it rises as a whole.
          const rise = panel?.getBoundingClientRect().top ?? 0
          for (const part of panel?.querySelectorAll('h2, h3, label:not(.sr-only), [aria-label=Close]') ?? [])
            note(part.ariaLabel ?? part.firstChild?.textContent?.trim() ?? '', part.getBoundingClientRect().top - rise)
          requestAnimationFrame(look)
        }
        look()
      })
    const placesOf = (page: Page) => page.evaluate(() => (window as unknown as { places: Record<string, number[]> }).places)

    for (const width of [390, 820, 1440])
      test(`has all its parts where they stay, ${width} px wide`, async () => {
        const { ada } = await site.ownBoard([`lea${width}`, `mia${width}`], ['One', 'Two'], { viewport: { width, height: 900 } })
        await watchPanel(ada)
        await card(ada, 'One').click()
        await ada.getByText('No files.').waitFor()
        const places = await placesOf(ada)
        expect(Object.keys(places)).toEqual(
          expect.arrayContaining(['Close', 'Time tracking', 'Status', 'Attachments', 'Comments']),
        )
        expect(Object.entries(places).filter(([, tops]) => tops.length > 1)).toEqual([])
      })

    test('has nothing moved but what is below its time and files, once', async () => {
      const { ada, taskId } = await site.ownBoard(['nora', 'olaf'], ['One', 'Two'], { viewport: { width: 1440, height: 900 } })
      for (const note of ['Dug', 'Planted']) await ada.request.post('/api/time-entries', { data: { taskId, duration: 5, note } })
      await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'Soon' } })
      await attach(ada, taskId)
      await ada.reload()
      await watchPanel(ada)
      await card(ada, 'One').click()
      for (const text of ['Planted', 'Soon', 'a.png']) await ada.getByText(text).first().waitFor()
      const moved = Object.entries(await placesOf(ada)).filter(([, tops]) => tops.length > 1)
      expect(moved.filter(([, tops]) => tops.length > 2)).toEqual([])
      expect(moved.map(([name]) => name).sort()).toEqual(['Activity'])
    })
  },
  uploads.env,
)

const NOTHING_YET = 'No activity yet.'
const OF_TASK = 'Part of this task could not be loaded.'
const TO_FIND = 'Boards and tasks you open appear here.'

inChromium('what is opened while its script is on the way', (site) => {
  test('is there at once, and no key reaches the board', async () => {
    const ada = await site.open('ada')
    const release = await scriptHeldBack(ada, NOTHING_YET)
    await sharedBoard(ada, null, ['pia', 'quin'], ['One'])
    const activity = dialog(ada, 'Activity')
    await button(ada, 'Activity').press('Enter')
    await activity.waitFor()
    await ada.keyboard.press('Escape')
    await button(ada, 'Activity').and(ada.locator(':focus')).waitFor()
    await press(ada, 'Activity')
    await activity.waitFor()
    await ada.keyboard.type('c?')
    await release()
    await activity.getByText('One').first().waitFor()
    await button(ada, 'Close').press('Enter')
    await activity.waitFor({ state: 'detached' })
    expect(await ada.getByRole('form', { name: 'New task' }).count()).toBe(0)
    expect(await dialog(ada, 'Keyboard shortcuts').count()).toBe(0)
  })

  test('keeps presses from what is below, and gives the focus back', async () => {
    const ada = await site.open('ada')
    const release = await scriptHeldBack(ada, OF_TASK)
    await sharedBoard(ada, null, ['vic', 'wes'], ['One'])
    await card(ada, 'One').dblclick()
    await dialog(ada, 'One').waitFor()
    await ada.keyboard.type('c?')
    await release()
    await dialog(ada, 'One').getByLabel('Title', { exact: true }).waitFor()
    expect(await ada.getByRole('dialog').count()).toBe(1)
    await ada.keyboard.press('Escape')
    await card(ada, 'One').and(ada.locator(':focus')).waitFor()
    expect(await ada.getByRole('form', { name: 'New task' }).count()).toBe(0)
  })

  test('takes what is typed meanwhile', async () => {
    const ada = await site.open('ada')
    const release = await scriptHeldBack(ada, TO_FIND)
    await sharedBoard(ada, null, ['yan', 'zita'], ['One'])
    await ada.keyboard.press('Control+k')
    const field = ada.getByRole('combobox', { name: 'Search' })
    await field.waitFor()
    await ada.keyboard.type('O')
    await release()
    await ada.getByRole('option').first().waitFor()
    await ada.keyboard.type('n')
    expect(await field.inputValue()).toBe('On')
  })

  test('does not move where no motion is wanted: at its end Radix could wait for one that is over', async () => {
    const { ada } = await site.ownBoard(['tess', 'udo'], ['One'])
    const animationOf = (name: string) => dialog(ada, name).evaluate((element) => getComputedStyle(element).animationName)
    for (const name of ['Invite Members', 'Activity']) {
      await press(ada, name)
      expect(await animationOf(name)).toBe('none')
      await leave(dialog(ada, name))
    }
    await ada.emulateMedia({ reducedMotion: 'no-preference' })
    await press(ada, 'Activity')
    expect(await animationOf('Activity')).toBe('rise')
  })

  test('says so where the script is lost, and opens when it is asked for again', async () => {
    const ada = await site.open('ada')
    await loseScripts(ada)
    await sharedBoard(ada, null, ['rhea', 'sam'], ['One'])
    const find = () => ada.keyboard.press('Control+k')
    for (const open of [() => press(ada, 'Activity'), find, () => card(ada, 'One').click()]) {
      await open()
      await told(ada, 'Could Not Open')
      await ada.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await ada.keyboard.press('c')
    await ada.getByRole('form', { name: 'New task' }).waitFor()
    await ada.keyboard.press('Escape')
    await ada.unrouteAll({ behavior: 'wait' })
    await press(ada, 'Activity')
    await dialog(ada, 'Activity').getByText('One').first().waitFor()
    await leave(dialog(ada, 'Activity'))
  })

  test('offers a reload, after which it opens', async () => {
    const ada = await site.open('ada')
    await loseScripts(ada)
    await sharedBoard(ada, null, ['ruth', 'saul'], ['One'])
    await press(ada, 'Activity')
    // It stays while the pointer is on it.
    await button(ada, 'Reload').hover()
    await ada.unrouteAll({ behavior: 'wait' })
    await Promise.all([ada.waitForEvent('load'), press(ada, 'Reload')])
    await press(ada, 'Activity')
    await dialog(ada, 'Activity').waitFor()
  })
})

inChromium(
  'a double click',
  (site) => {
    for (const hasTouch of [false, true])
      test(`closes what it is beside, and presses nothing below, ${hasTouch ? 'by finger' : 'by mouse'}`, async () => {
        const { ada, boardId } = await site.ownBoard([`xena${hasTouch}`, `yves${hasTouch}`], ['One'], {
          hasTouch,
          viewport: { width: 1440, height: 900 },
        })
        const link = ada.getByRole('link', { name: 'My time' })
        const { x, y } = middle(await link.boundingBox())
        const twice = async () => {
          if (!hasTouch) return ada.mouse.dblclick(x, y)
          // The browser tells a double tap by these times, so a slow machine makes no two of it.
          const devtools = await ada.context().newCDPSession(ada)
          const start = Date.now() / 1000
          for (const seconds of [0, 0.1]) {
            const timestamp = start + seconds
            await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }], timestamp })
            await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.05 })
          }
          await devtools.detach()
        }
        for (const open of [() => card(ada, 'One').click(), () => press(ada, 'Activity'), () => press(ada, 'Board menu')]) {
          await open()
          const layer = ada.locator('[role=dialog], [role=menu]')
          await layer.waitFor()
          // Radix hears of presses beside a layer in the task after the one in which it gave it the focus.
          await ada.waitForFunction(() => document.querySelector('[role=dialog]:focus-within, [role=menu]:focus-within'))
          await ada.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
          await twice()
          await layer.waitFor({ state: 'detached' })
        }
        await card(ada, 'One').dblclick()
        await dialog(ada, 'One').waitFor()
        await ada.getByLabel('Close', { exact: true }).dblclick()
        await dialog(ada, 'One').waitFor({ state: 'detached' })
        expect(await ada.getByRole('dialog').count()).toBe(0)
        expect(new URL(ada.url()).pathname).toBe(`/board/${boardId}`)
        await link.press('Enter')
        await ada.waitForURL('**/time')
      })

    test('does once what its first press does, whatever takes the place of its button', async () => {
      const { ada } = await site.sharedBoard(['xara', 'yuri'], ['One', 'Two'], { seenBy: ['ada'] })
      const taskId = Number(await card(ada, 'One').getAttribute('data-task'))
      for (const name of ['a.png', 'b.png']) await attach(ada, taskId, name)
      for (const title of ['One', 'Two']) {
        await card(ada, title).focus()
        await ada.keyboard.press('3')
        await told(ada, 'Moved to Done', title)
      }
      // A notice stays while the pointer is on it.
      await ada.mouse.move(0, 0)
      for (const title of ['One', 'Two']) {
        await card(ada, title).focus()
        await ada.keyboard.press('1')
        await toast(ada, 'Moved to To Do', title)
        await hasFocus(card(ada, title))
      }
      await button(ada, 'Undo').dblclick()
      await shows(ada, 'Done', ['Two'])
      await card(ada, 'One').click()
      await button(ada, 'Remove a.png').dblclick()
      await button(ada, 'Remove a.png').waitFor({ state: 'detached' })
      expect(await button(ada, 'Remove b.png').count()).toBe(1)
      await press(ada, 'Manage')
      const others = ada.getByRole('list', { name: 'Members to assign' }).getByRole('button')
      await others.first().dblclick()
      expect(await others.count()).toBe(1)
      await press(ada, 'Start timer')
      await dialog(ada, 'One').getByRole('button', { name: 'Pause' }).dblclick()
      await dialog(ada, 'One').getByRole('button', { name: 'Resume' }).waitFor()
    })
  },
  uploads.env,
)

async function attach(page: Page, taskId: number, name = 'a.png') {
  const form = new Response(formWith(PNG, name))
  await page.request.post(`/api/attachments/${taskId}`, {
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    data: Buffer.from(await form.arrayBuffer()),
  })
}

inChromium('a press beside', (site) => {
  test('a menu or a popover counts where nothing is covered, and else only closes', async () => {
    const { ada } = await site.ownBoard(['una', 'vera'], ['One', 'Two'])
    await press(ada, 'Board menu')
    await ada.getByRole('menu').waitFor()
    const { x, y } = middle(await card(ada, 'One').boundingBox())
    await ada.mouse.click(x, y)
    await ada.getByRole('menu').waitFor({ state: 'detached' })
    expect(await ada.getByRole('dialog').count()).toBe(0)
    await card(ada, 'One').click({ button: 'right' })
    await ada.getByRole('menu').waitFor()
    await press(ada, 'Activity')
    await dialog(ada, 'Activity').waitFor()
    await ada.keyboard.press('Escape')
    await press(ada, 'Invite Members')
    await dialog(ada, 'Invite Members').waitFor()
    await button(ada, 'Mine').dblclick()
    await dialog(ada, 'Invite Members').waitFor({ state: 'detached' })
    // Both presses counted. The filter comes with the address, which is a moment later.
    await button(ada, 'Mine').and(ada.locator('[aria-pressed=false]')).waitFor()
  })
})

function middle(box: { x: number; y: number; width: number; height: number } | null) {
  if (!box) throw new Error('it is not there')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const loseScripts = (page: Page) =>
  page.route('**/*.js', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await ([NOTHING_YET, OF_TASK, TO_FIND].some((words) => text.includes(words)) ? route.abort() : route.fulfill({ response }))
  })
