import { afterAll, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { THUMBNAIL_MAX_BYTES } from '../../src/attachments/schema'
import { findsNothing, findsNothingInBoth } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import { PNG, uploadsFolder } from '../support/files'
import { addTask, button, card, cutOff, leave, press, toast, told } from '../support/page'

const uploads = await uploadsFolder()
afterAll(uploads.remove)

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) =>
  dialog(page).getByRole('region', { name: 'Attachments' }).getByRole('listitem').filter({ hasText: name })
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PNG })
const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').setInputFiles(files)

/** Holds the files that a page sends, as if its line were slow. */
async function holdUploads(page: Page) {
  const held: Route[] = []
  let seen = 0
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/attachments/*', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    held.push(route)
    seen += 1
    resolve()
  })
  return { arrived, count: () => seen, letGo: () => Promise.all(held.splice(0).map((route) => route.fallback())) }
}

/** Holds the drawing of the small picture of one file; answers what lets it go. */
async function holdDrawing(page: Page, name: string) {
  const held = await page.evaluateHandle((name) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const draw = createImageBitmap
    Object.assign(window, {
      createImageBitmap: (file: File) => (file.name === name ? promise : null)?.then(() => draw(file)) ?? draw(file),
    })
    return { resolve }
  }, name)
  return () => held.evaluate(({ resolve }) => resolve())
}

/** Files as the browser hands them over when they are dropped or pasted. */
const transfer = (page: Page, name: string, text?: string) =>
  page.evaluateHandle(
    ([name, base64, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type: 'image/png' }))
      if (text) data.items.add(text, 'text/plain')
      return data
    },
    [name, PNG.toString('base64'), text ?? ''] as const,
  )

const paste = async (page: Page, name: string, text?: string) =>
  (await transfer(page, name, text)).evaluate((clipboardData) =>
    (document.activeElement ?? document.body).dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    ),
  )

inChromium(
  'attachments',
  (site) => {
    async function openTask(names: [string, string]) {
      const { ada, bob } = await site.sharedBoard(names, ['One'])
      await Promise.all([ada, bob].map(openCard))
      return { ada, bob }
    }

    async function openAlone(names: [string, string], options = {}) {
      const { ada } = await site.ownBoard(names, ['One'], options)
      await openCard(ada)
      return ada
    }

    async function openCard(page: Page) {
      await card(page, 'One').click()
      await dialog(page).getByText('No files.').waitFor()
    }

    test('are closed by Back one after the other: the file, the task, and only then the board', async () => {
      const { ada } = await site.ownBoard(['bea', 'uma'], ['One'])
      const board = new URL(ada.url()).pathname
      await openCard(ada)
      await choose(ada, picture('first.png'))
      const link = row(ada, 'first.png').getByRole('link', { name: 'first.png', exact: true })
      const viewer = ada.getByRole('dialog', { name: 'first.png' })
      await link.click()
      await viewer.waitFor()
      await ada.goBack()
      await viewer.waitFor({ state: 'detached' })
      // Closed otherwise, it leaves Back to the task. By the keyboard, for a second click at once would count as one of a double click.
      await link.press('Enter')
      await viewer.waitFor()
      await leave(viewer)
      await ada.goBack()
      await dialog(ada).waitFor({ state: 'detached' })
      expect(new URL(ada.url()).pathname).toBe(board)
      await card(ada, 'One').waitFor()
      await ada.goBack()
      await card(ada, 'One').waitFor({ state: 'detached' })
    })

    test('are seen with a task whose address is typed over what Time Logs left in the history: that is no step back', async () => {
      const { ada, taskId: task } = await site.ownBoard(['una', 'vic'], ['One'])
      await button(ada, 'Time Logs').click()
      await ada.getByRole('dialog', { name: 'Time Logs' }).waitFor()
      await leave(ada.getByRole('dialog'))
      await ada.evaluate((hash) => location.assign(hash), `#task-${task}`)
      await dialog(ada).getByText('No files.').waitFor()
    })

    test('open in a viewer, by keys, buttons and a finger, which gives the focus back', async () => {
      const ada = await openAlone(['ava', 'abe'], { hasTouch: true, viewport: { width: 390, height: 844 } })
      const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') }
      await choose(ada, picture('first.png'))
      await row(ada, 'first.png').getByRole('link', { name: 'first.png', exact: true }).waitFor()
      await choose(ada, notes)
      await row(ada, 'notes.txt').getByRole('link', { name: 'notes.txt', exact: true }).waitFor()
      await ada.locator('[data-toast]').hover()
      await row(ada, 'first.png').getByRole('link', { name: 'first.png', exact: true }).press('Enter')
      const viewing = (name: string, place: string) =>
        ada.getByRole('dialog', { name }).getByText(place, { exact: true }).waitFor()
      await viewing('first.png', '1 of 2')
      await ada.getByRole('img', { name: 'first.png' }).waitFor()
      for (const width of [390, 1440]) {
        await ada.setViewportSize({ width, height: 844 })
        await ada.waitForFunction(() => {
          const [told] = [...document.querySelectorAll('[data-toast]')].map((toast) => toast.getBoundingClientRect())
          const shown = document.querySelectorAll('header:has([download]), img.object-contain, [aria-label$=file]')
          const isApart = ({ top, bottom }: DOMRect) => told && (bottom <= told.top || top >= told.bottom)
          return shown.length === 4 && [...shown].every((thing) => isApart(thing.getBoundingClientRect()))
        })
      }
      await ada.setViewportSize({ width: 390, height: 844 })
      await press(ada, 'Dismiss')
      await ada.keyboard.press('ArrowRight')
      await viewing('notes.txt', '2 of 2')
      expect(await ada.getByRole('link', { name: 'Download', exact: true }).getAttribute('href')).toStartWith('/uploads/')
      await findsNothingInBoth(ada, 'the viewer of files')
      await button(ada, 'Next file').click()
      await viewing('first.png', '1 of 2')
      await ada.getByRole('dialog', { name: 'first.png' }).evaluate((shown) => {
        const at = (clientX: number) => [new Touch({ identifier: 1, target: shown, clientX, clientY: 300 })]
        shown.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: at(300), changedTouches: at(300) }))
        shown.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: at(100) }))
      })
      await viewing('notes.txt', '2 of 2')
      await ada.keyboard.press('Escape')
      await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'notes.txt')
      await dialog(ada).getByText('Add files').waitFor()
    })

    test('open by nobody’s hand but one’s own: not when one on show is removed, and put back', async () => {
      const { ada, bob } = await openTask(['aya', 'bosse'])
      await choose(ada, picture('plan.png'))
      const link = row(bob, 'plan.png').getByRole('link', { name: 'plan.png', exact: true })
      await link.click()
      const viewer = bob.getByRole('dialog', { name: 'plan.png' })
      await viewer.getByRole('img', { name: 'plan.png' }).waitFor()
      await button(ada, 'Remove plan.png').click()
      await viewer.waitFor({ state: 'detached' })
      await ada.getByRole('button', { name: /^Undo/ }).click()
      await link.waitFor()
      expect(await viewer.count()).toBe(0)
    })

    test('are chosen, dropped and pasted; the other sees them come and go', async () => {
      const { ada, bob } = await openTask(['amy', 'ben'])
      await choose(ada, picture('日本語 "quoted".png'), {
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(1536, 'a'),
      })
      await toast(ada, 'File uploaded')
      await row(bob, '日本語 "quoted".png').getByText('Amy').waitFor()
      await row(bob, 'notes.txt').getByText('1.5 KB').waitFor()
      // The page's policy lets the picture in.
      await bob.waitForFunction(() => {
        const image = document.querySelector<HTMLImageElement>('[role=dialog] img[src^="/uploads/"]')
        return image?.complete && image.naturalWidth > 0
      })

      const data = await transfer(bob, 'dropped.png')
      await dialog(bob).dispatchEvent('dragover', { dataTransfer: data })
      await bob.getByText('Drop to attach').waitFor()
      await dialog(bob).dispatchEvent('drop', { dataTransfer: data })
      await bob.getByText('Drop to attach').waitFor({ state: 'detached' })
      await row(ada, 'dropped.png').waitFor()

      await dialog(ada).getByRole('textbox', { name: 'Description' }).focus()
      await paste(ada, 'with text.png', 'a text that stands for itself')
      await paste(ada, 'image.png')
      await row(bob, 'image.png').waitFor()
      expect(await row(bob, 'with text.png').count()).toBe(0)

      expect(await row(bob, 'image.png').getByRole('button').count()).toBe(0)
      await button(ada, 'Remove image.png').click()
      await toast(ada, 'Attachment Removed')
      await row(bob, 'image.png').waitFor({ state: 'detached' })
      expect(await row(ada, 'image.png').count()).toBe(0)
      await button(ada, 'Undo').click()
      for (const page of [ada, bob]) await row(page, 'image.png').waitFor()
      await button(ada, 'Remove image.png').click()
      await row(bob, 'image.png').waitFor({ state: 'detached' })
      expect(await row(ada, '').count()).toBe(3)
      for (const page of [ada, bob]) await card(page, 'One').getByText('3', { exact: true }).waitFor({ state: 'attached' })
      await bob.reload()
      await card(bob, 'One').getByText('3', { exact: true }).waitFor({ state: 'attached' })

      // On a card, too; beside all that takes files nothing happens, and the browser stays.
      const more = await transfer(bob, 'on the card.png')
      await card(bob, 'One').dispatchEvent('dragover', { dataTransfer: more })
      await bob.locator('[data-files]').waitFor({ state: 'attached' })
      await card(bob, 'One').dispatchEvent('drop', { dataTransfer: more })
      await row(ada, 'on the card.png').waitFor()
      expect(await bob.locator('[data-files]').count()).toBe(0)
      const isTaken = await more.evaluate((dataTransfer) => {
        const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
        return !document.body.dispatchEvent(drop)
      })
      expect(isTaken).toBe(true)
      await card(ada, 'One').getByText('4', { exact: true }).waitFor({ state: 'attached' })
    })

    test('that are pictures show a small one that was made of them, all others an icon', async () => {
      const ada = await openAlone(['sue', 'tom'])
      const large = Buffer.from(await new Bun.Image(PNG).resize(1000, 500).png().bytes())
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
      await choose(ada, { ...picture('large.png'), buffer: large }, { name: 'a.svg', mimeType: 'image/svg+xml', buffer: svg })
      await row(ada, 'a.svg').getByText('Sue').waitFor()
      const shown = await row(ada, 'large.png').locator('img').elementHandle()
      const small = await ada.waitForFunction(
        (image) => image instanceof HTMLImageElement && image.naturalWidth > 0 && [image.naturalWidth, image.naturalHeight],
        shown,
      )
      expect(await small.jsonValue()).toEqual([320, 160])
      const answer = await ada.request.get(new URL((await shown?.getAttribute('src')) ?? '', ada.url()).href)
      expect(answer.headers()['content-type']).toBe('image/webp')
      expect((await answer.body()).length).toBeLessThan(THUMBNAIL_MAX_BYTES)
      expect(await row(ada, 'a.svg').locator('img').count()).toBe(0)
    })

    test('are opened and downloaded by their own names', async () => {
      const ada = await openAlone(['cat', 'dan'])
      await choose(ada, picture('plan.png'), { name: 'Größe 日本.txt', mimeType: '', buffer: Buffer.from('Hello') })
      await row(ada, 'Größe 日本.txt').getByRole('link', { name: 'Größe 日本.txt', exact: true }).waitFor()
      await row(ada, 'Größe').getByRole('link', { name: 'Größe 日本.txt', exact: true }).click()
      const [text] = await Promise.all([
        ada.waitForEvent('download'),
        ada.getByRole('link', { name: 'Download', exact: true }).click(),
      ])
      await ada.keyboard.press('Escape')
      expect(text.suggestedFilename()).toBe('Größe 日本.txt')
      expect(await Bun.file(await text.path()).text()).toBe('Hello')
      const [file] = await Promise.all([
        ada.waitForEvent('download'),
        ada.getByRole('link', { name: 'Download plan.png' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('plan.png')
      const [shown] = await Promise.all([
        ada.context().waitForEvent('page'),
        ada.getByRole('link', { name: 'plan.png', exact: true }).click({ modifiers: ['Control'] }),
      ])
      await shown.waitForFunction(() => document.images[0]?.naturalWidth === 1)
    })

    test('that are too large or of no kind are refused at once, with the reason', async () => {
      const ada = await openAlone(['eli', 'fay'])
      let sent = 0
      ada.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/api/attachments/')) sent += 1
      })
      await choose(ada, { name: 'big.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(5 * 2 ** 20 + 1) })
      await toast(ada, 'File too large', 'The file exceeds the 5MB size limit.')
      await choose(ada, { name: 'setup.exe', mimeType: 'image/png', buffer: Buffer.from('MZ') })
      await toast(ada, 'File not accepted', 'Only images, PDF, Word, Excel and plain text files are accepted.')
      await choose(ada, { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
      await toast(ada, 'Upload Failed', '“empty.txt” was not attached. This file is empty.')
      const two = { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }
      await choose(ada, { name: 'one.exe', mimeType: 'image/png', buffer: Buffer.from('MZ') }, two)
      await toast(ada, '2 Files Not Attached', '“one.exe” was not attached.')
      await ada.getByText('“two.txt” was not attached. This file is empty.').waitFor()
      expect(sent).toBe(0)
      // Only the server looks into it.
      await choose(ada, { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') })
      await toast(ada, 'File not accepted')
      await dialog(ada).getByText('No files.').waitFor()
      await choose(
        ada,
        { name: 'run.exe', mimeType: 'image/png', buffer: Buffer.from('MZ') },
        { name: 'beside.txt', mimeType: 'text/plain', buffer: Buffer.from('text') },
      )
      await dialog(ada).getByRole('link', { name: 'Download beside.txt' }).waitFor()
      await toast(ada, 'File not accepted')
      expect(await ada.getByText('File uploaded').count()).toBe(0)
    })

    test('that fail are kept, and sent again without being chosen again', async () => {
      const { ada, bob } = await openTask(['gus', 'hal'])
      // It arrives, and its answer is lost.
      const lose = async (route: Route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        await route.fetch()
        await route.abort()
      }
      await ada.route('**/api/attachments/*', lose)
      await choose(ada, picture('plan.png'))
      await toast(ada, 'Upload Failed', 'Could not upload the file. Please try again.')
      await row(ada, 'plan.png').getByText('Not uploaded').waitFor()
      await leave(dialog(ada))
      await ada.unroute('**/api/attachments/*')
      await card(ada, 'One').click()
      await button(ada, 'Retry plan.png').click()
      await toast(ada, 'File uploaded')
      for (const page of [ada, bob]) {
        await row(page, 'plan.png').getByText('Gus').waitFor()
        expect(await row(page, 'plan.png').count()).toBe(1)
      }
    })

    test('show how far they are, go on when the task is closed, and can be cancelled', async () => {
      const { ada, bob } = await openTask(['ida', 'joe'])
      const line = await holdUploads(ada)
      const draw = await holdDrawing(ada, 'three.png')
      await choose(ada, picture('one.png'), picture('two.png'), picture('three.png'))
      await ada.getByRole('progressbar', { name: 'Uploading one.png' }).waitFor()
      await row(ada, 'three.png').getByText('Waiting').waitFor()
      await line.arrived
      await button(ada, 'Cancel two.png').click()
      await ada.getByRole('progressbar', { name: 'Uploading three.png' }).waitFor()
      await button(ada, 'Cancel three.png').press('Enter')
      await draw()
      await row(ada, 'two.png').waitFor({ state: 'detached' })
      await leave(dialog(ada))
      await line.letGo().catch(() => {})
      await toast(ada, 'File uploaded')
      await row(bob, 'one.png').waitFor()
      expect(await row(bob, '').count()).toBe(1)
      // The third was cancelled before it was sent.
      expect(line.count()).toBe(2)
    })

    test('of a task that is not saved yet are taken by no button, drop or paste, which says why, and by all once it is', async () => {
      const ada = await openAlone(['vera', 'wes'])
      await leave(dialog(ada))
      await ada.context().setOffline(true)
      await addTask(ada, 'To Do', 'Two')
      await card(ada, 'Two').click()
      const reason = 'You can add files once this task is saved.'
      await dialog(ada).getByText(`No files. ${reason}`).waitFor()
      expect(await button(ada, 'Add files').isDisabled()).toBe(true)
      const drop = async (name: string) => {
        const dataTransfer = await transfer(ada, name)
        await dialog(ada).dispatchEvent('dragover', { dataTransfer })
        await dialog(ada).dispatchEvent('drop', { dataTransfer })
      }
      for (const add of [() => drop('early.png'), () => paste(ada, 'early.png')]) {
        await add()
        await told(ada, 'Task not saved yet', reason)
        expect(await row(ada, '').count()).toBe(0)
      }
      await ada.context().setOffline(false)
      await dialog(ada).getByText('Drop some here').waitFor()
      await button(ada, 'Add files').and(ada.locator(':enabled')).waitFor()
      await drop('dropped.png')
      await paste(ada, 'pasted.png')
      await choose(ada, picture('chosen.png'))
      for (const name of ['dropped.png', 'pasted.png', 'chosen.png']) await row(ada, name).getByText('Vera').waitFor()
      expect(await row(ada, '').count()).toBe(3)
    })

    test('whose removal is refused come back', async () => {
      const ada = await openAlone(['kim', 'leo'])
      await choose(ada, picture('plan.png'))
      await row(ada, 'plan.png').getByText('Kim').waitFor()
      await ada.route('**/trpc/attachments.delete*', (route) => route.abort())
      await button(ada, 'Remove plan.png').click()
      await toast(ada, 'Removal Failed', 'Could not remove the file. Please try again.')
      await row(ada, 'plan.png').getByText('Kim').waitFor()
    })

    test('that came while one was cut off are there when one is back', async () => {
      const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
      const cut = await cutOff(bob)
      await sharedBoard(ada, bob, ['mia', 'ned'], ['One'])
      for (const page of [ada, bob]) await card(page, 'One').click()
      await choose(ada, picture('before.png'))
      await row(bob, 'before.png').waitFor()
      await cut()
      await choose(ada, picture('meanwhile.png'))
      // Else its notice may take the place of the next one.
      await row(ada, 'meanwhile.png').getByText('Mia').waitFor()
      await button(ada, 'Remove before.png').click()
      await toast(ada, 'Attachment Removed')
      await row(bob, 'meanwhile.png').waitFor()
      await row(bob, 'before.png').waitFor({ state: 'detached' })
    })

    test('are chosen and removed with the keyboard alone', async () => {
      const ada = await openAlone(['oda', 'pam'])
      // Asked for early: the browser must know of it before the key is pressed.
      const choosing = ada.waitForEvent('filechooser')
      await button(ada, 'Add files').focus()
      await ada.keyboard.press('Enter')
      const chooser = await choosing
      expect(chooser.isMultiple()).toBe(true)
      await chooser.setFiles([picture('plan.png')])
      await row(ada, 'plan.png').getByText('Oda').waitFor()
      await button(ada, 'Remove plan.png').focus()
      await ada.keyboard.press('Enter')
      await toast(ada, 'Attachment Removed')
      await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Add files')
    })

    for (const colorScheme of ['light', 'dark'] as const)
      test(`are accessible, ${colorScheme}`, async () => {
        const ada = await openAlone([`quin-${colorScheme}`, `ruth-${colorScheme}`], { colorScheme, reducedMotion: 'reduce' })
        await choose(ada, picture('plan.png'), { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') })
        await row(ada, 'plan.png').getByText('Quin').waitFor()
        await row(ada, 'notes.txt').getByText('Quin').waitFor()
        await ada.route('**/api/attachments/*', (route) => route.abort())
        await choose(ada, picture('failed.png'))
        await row(ada, 'failed.png').getByText('Not uploaded').waitFor()
        await ada.unroute('**/api/attachments/*')
        await holdUploads(ada)
        await choose(ada, picture('sending.png'))
        await ada.getByRole('progressbar').waitFor()
        await findsNothing(ada, 'attachments in every state')
        await dialog(ada).dispatchEvent('dragover', { dataTransfer: await transfer(ada, 'over.png') })
        await ada.getByText('Drop to attach').waitFor()
        await findsNothing(ada, 'a file over the dialog')
      })
  },
  uploads.env,
)
