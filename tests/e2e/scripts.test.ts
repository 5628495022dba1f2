import { afterAll, expect, test } from 'bun:test'
import type { APIRequestContext, Page } from 'playwright-core'
import { inChromium, type Site } from '../support/chromium'
import { formWith, PNG, uploadsFolder } from '../support/files'
import { openIdIssuer } from '../support/issuer'
import { press } from '../support/page'
import { ALL, LONG, SHORT } from '../support/payloads'

const uploads = await uploadsFolder()
const issuer = await openIdIssuer()
const PROVIDER = '<img src=x onerror=pwned=70>"><script>pwned=71</script>'
afterAll(() => Promise.all([uploads.remove(), issuer.stop()]))

/** Notes whatever runs, or is kept from running, on all pages that `page` opens from now on. */
async function watched(page: Page) {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).hostname.endsWith('evil.example')) seen.push(`asked for ${request.url()}`)
  })
  await page.exposeFunction('tell', (what: string) => void seen.push(what))
  await page.addInitScript(() => {
    const tell = (what: string) => (window as unknown as { tell(what: string): void }).tell(what)
    document.addEventListener('securitypolicyviolation', (event) =>
      tell(`${event.violatedDirective} refused ${event.blockedURI}`),
    )
    Object.defineProperty(window, 'pwned', { set: (value) => tell(`script ${value} ran`) })
  })
  return seen
}

/** What in the document could run, or lead to what runs. */
const dangers = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name) || name === 'srcdoc') found.push(`${element.tagName} ${name}=${value}`)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them in addresses
        const address = value.replace(/[\u0000-\u0020]/g, '')
        const isOurs = element.tagName === 'IMG' && address.startsWith('data:image/')
        if (
          /^(href|src|action|formaction|data|xlink:href)$/i.test(name) &&
          /^(javascript|vbscript|data):/i.test(address) &&
          !isOurs
        )
          found.push(`${element.tagName} ${name}=${value}`)
      }
      const isForeign = element instanceof HTMLScriptElement && new URL(element.src, location.href).origin !== location.origin
      if (isForeign || /^(iframe|object|embed|base|portal)$/i.test(element.tagName)) found.push(element.outerHTML.slice(0, 200))
    }
    return found
  })

/** Nothing has run, nothing would, and focus or pointer on whatever can have them change nothing about that. */
async function expectHarmless(page: Page, seen: string[], where: string) {
  await touched(page).catch(() => touched(page))
  const found = await dangers(page).catch(() => dangers(page))
  expect([where, found, seen.splice(0)]).toEqual([where, [], []])
}

/** Some addresses lead on to another one: then once more, there. */
const touched = (page: Page) =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('[role=dialog] *, main *')) {
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
      if (element instanceof HTMLAnchorElement) element.dispatchEvent(new FocusEvent('focus'))
    }
  })

async function made(request: APIRequestContext, path: string, data: object) {
  const answer = await request.post(path, { data })
  if (answer.status() !== 201) throw new Error(`${path} ${JSON.stringify(data).slice(0, 200)}: ${await answer.text()}`)
  return answer.json()
}

const joined = (max: number) =>
  ALL.reduce((text, one) => (text.length + one.length + 2 > max ? text : `${text}\n\n${one}`), '').trim()

/** Ada's board, on which every text holds scripts, and Bob, its member. */
async function hostileBoard(site: Site, names: [string, string]) {
  const [ada, bob] = await Promise.all([site.account(names[0]), site.account(names[1])])
  const name = '<script>pwned=80</script><img src=x onerror=pwned=81>'
  await ada.request.patch('/api/users/profile', { data: { name, description: joined(1_000), showEmail: true } })
  const board = await made(ada.request, '/api/boards', { name: `=1+1<img src=x onerror=pwned=82>`, description: joined(2_000) })
  await made(ada.request, `/api/boards/${board.id}/members`, { username: names[1] })
  await made(ada.request, `/api/boards/${board.id}/members`, { email: "o'onfocus+pwned.83@example.com" })
  const tasks: { id: number }[] = []
  for (const title of ALL)
    tasks.push(
      await made(ada.request, `/api/boards/${board.id}/tasks`, { title: title.slice(0, 255), tags: [...new Set(SHORT)] }),
    )
  const [task] = tasks
  if (!task) throw new Error('no task was made')
  await ada.request.patch(`/api/tasks/${task.id}`, { data: { description: joined(20_000) } })
  const me = await (await bob.request.get('/api/auth/me')).json()
  await made(ada.request, `/api/tasks/${task.id}/assignees`, { userId: me.id })
  for (const content of ALL) await made(ada.request, `/api/tasks/${task.id}/comments`, { content: `@${names[1]} ${content}` })
  for (const note of ALL)
    await made(ada.request, '/api/time-entries', { taskId: task.id, duration: 5, note: note.slice(0, 2_000) })
  await ada.request.patch(`/api/boards/${board.id}`, { data: { name: '@SUM(1)<svg onload=pwned=84>' } })
  return { ada, bob, board, task }
}

inChromium(
  'scripts in what people write',
  (site) => {
    test('run on no page of a board, not in its time logs, on the printed sheet, nor in what spreadsheets open', async () => {
      const { ada, bob, board, task } = await hostileBoard(site, ['adele', 'boris'])
      const seenByBob = await watched(bob)
      await bob.goto('/')
      await bob.getByText('@SUM(1)').first().waitFor()
      await expectHarmless(bob, seenByBob, 'the dashboard')
      await bob.goto(`/board/${board.id}`)
      await bob.locator('[data-task]').first().waitFor()
      await expectHarmless(bob, seenByBob, 'the board')
      await press(bob, 'Activity')
      await bob.getByRole('dialog', { name: 'Activity' }).getByRole('listitem').first().waitFor()
      await expectHarmless(bob, seenByBob, 'the activity')
      await bob.goto('/adele')
      await bob.getByText('pwned=80').first().waitFor()
      await expectHarmless(bob, seenByBob, 'a profile')
      await bob.getByRole('button', { name: /^Notifications/ }).click()
      await bob.getByRole('dialog', { name: 'Notifications' }).getByRole('link').first().waitFor()
      await expectHarmless(bob, seenByBob, 'the inbox')
      await bob.goto(`/board/${board.id}#task-${task.id}`)
      const comments = bob.getByRole('list', { name: 'Comments' }).getByRole('listitem')
      await comments.first().waitFor()
      while ((await comments.count()) < ALL.length) await press(bob, 'Load more')
      await bob.getByRole('list', { name: 'Time entries' }).getByRole('listitem').first().waitFor()
      await expectHarmless(bob, seenByBob, 'a task')

      for (const page of [ada, bob]) {
        const seen = page === bob ? seenByBob : await watched(page)
        await page.addInitScript(() => Object.assign(window, { print: () => {} }))
        await page.goto(`/board/${board.id}`)
        await press(page, 'Time Logs')
        await page.getByRole('dialog', { name: 'Time Logs' }).getByText('pwned').first().waitFor()
        await expectHarmless(page, seen, 'the time logs')
        await press(page, 'Print')
        await expectHarmless(page, seen, 'the printed sheet')
      }
      for (const format of ['plain', 'invoice']) {
        const csv = await (await bob.request.get(`/api/boards/${board.id}/time.csv?format=${format}`)).text()
        if (format === 'plain') expect(csv).toContain("'=HYPERLINK")
        const cells = [...csv.replace(/^\uFEFF/, '').matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
          ([, quoted, plain]) => quoted ?? plain ?? '',
        )
        expect(cells.filter((cell) => /^[=+\-@\t]/.test(cell))).toEqual([])
      }
    })

    test('run from no address', async () => {
      const { bob, boardId } = await site.sharedBoard(['alina', 'boyan'], ['One'], { seenBy: [] })
      const nobody = await site.open('nobody')
      const addressesOf = (texts: string[], places: ((text: string) => string)[]) =>
        // By turns: each text in a third of the places, each place with a third of the texts.
        texts.flatMap((text, nth) =>
          places.filter((_, place) => (nth + place) % 3 === 0).map((at) => at(encodeURIComponent(text))),
        )
      const short = SHORT.slice(0, 6)
      const paths = addressesOf(
        [...short, ...LONG.slice(1, 3)],
        [
          (text) => `/login?error=${text}`,
          (text) => `/auth/verify?token=${text}&remember=${text}`,
          (text) => `/invite?token=${text}&board=${text}`,
          (text) => `/unsubscribe?token=${text}&from=${text}`,
        ],
      )
      const own = addressesOf(
        [...short, ...LONG.slice(0, 2)],
        [
          (text) => `/?payment_success=true&redirect_status=${text}`,
          (text) => `/board/${boardId}?task=${text}&openTaskDetail=true`,
          (text) => `/board/${boardId}#${text}`,
          (text) => `/board/${text}`,
          (text) => `/${text}`,
          (text) => `/boyan?tab=${text}&edit=${text}`,
          (text) => `/subscribe?${text}#${text}`,
        ],
      )
      for (const [page, addresses] of [
        [nobody, paths],
        [bob, own],
      ] as const) {
        const seen = await watched(page)
        for (const address of addresses) {
          // The page before may have been on its way elsewhere.
          await page.goto(address).catch(() => page.goto(address))
          // What is no link leads there, by a full load.
          if (address.startsWith('/auth/verify')) await page.waitForURL('**/login*')
          await page.waitForFunction(() => document.querySelector('#root')?.textContent)
          await expectHarmless(page, seen, address)
        }
      }
    })

    test('run from no name that a provider has, or says that one has', async () => {
      issuer.knows('nina', { email: 'nina@example.com', email_verified: true, name: `${PROVIDER}<b>Nina</b>` })
      const page = await site.open('nina')
      const seen = await watched(page)
      await page.goto('/login')
      await page.getByRole('link', { name: 'Continue with' }).waitFor()
      await expectHarmless(page, seen, 'the login page')
      await page.getByRole('link', { name: 'Continue with' }).click()
      await page.getByLabel('Who are you?').fill('nina')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Welcome,').waitFor()
      await expectHarmless(page, seen, 'the dashboard')
    })

    test('run in no file that is opened by itself', async () => {
      const { ada, bob, boardId, taskId } = await site.sharedBoard(['anouk', 'bjorn'], ['One'], { seenBy: [] })
      const seen = await watched(bob)
      const script = '<script>opener&&(opener.pwned=90);pwned=91;alert(1)</script>'
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="pwned=92"><script>pwned=93</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>pwned=94</script></body></foreignObject></svg>`
      const pdf =
        '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj trailer<</Root 1 0 R>>'
      const files: [string, string | Uint8Array<ArrayBuffer>][] = [
        ['page.txt', `<!doctype html><html>${script}`],
        ['page.svg', svg],
        ['script.pdf', `${pdf}\n${script}`],
        ['picture.png', Buffer.concat([PNG, Buffer.from(`<html>${script}`)])],
        ['picture.gif', `GIF89a/*${script}*/=1;`],
        ['<img src=x onerror=pwned=95>.png', PNG],
        ['"onload="pwned=96.txt', script],
      ]
      const refused = [
        ['page.html', script],
        ['svg.png', svg],
        ['page.pdf', script],
        ['page.svg.html', svg],
        ['a\u202egnp.html', script],
      ] as const
      for (const [name, bytes] of refused) expect((await upload(ada, taskId, name, bytes)).status()).toBeOneOf([400, 415])
      for (const [name, bytes] of files) {
        const answer = await upload(ada, taskId, name, bytes)
        if (answer.status() === 415) continue
        expect([name, answer.status()]).toEqual([name, 201])
        const { fileUrl } = await answer.json()
        const served = await bob.request.get(fileUrl)
        const { 'content-type': type, 'content-disposition': disposition, ...headers } = served.headers()
        expect([headers['content-security-policy'], headers['x-content-type-options']]).toEqual([
          "default-src 'none'; sandbox; frame-ancestors 'none'",
          'nosniff',
        ])
        expect(type).not.toMatch(/html|\/xml|javascript/)
        if (!/^image\/(png|gif)$|pdf$/.test(type ?? '')) expect(disposition).toStartWith('attachment')
        // What is not shown is downloaded.
        await bob.goto(fileUrl).catch(() => {})
        expect([name, seen.filter((what) => !what.startsWith('style-src'))]).toEqual([name, []])
        seen.splice(0)
      }
      await bob.goto(`/board/${boardId}#task-${taskId}`)
      await bob.getByText('picture.png').first().waitFor()
      await expectHarmless(bob, seen, 'the attachments')
    })
  },
  { ...uploads.env, ...issuer.env, OIDC_NAME: PROVIDER, MAIL_GATHER_SECONDS: '86400' },
)

/** As a browser would, of a name and content that no page would let through. */
async function upload(page: Page, taskId: number, name: string, bytes: string | Uint8Array<ArrayBuffer>) {
  const form = new Response(formWith(bytes, name))
  const headers = { 'content-type': form.headers.get('content-type') ?? '' }
  return page.request.post(`/api/attachments/${taskId}`, { headers, data: Buffer.from(await form.arrayBuffer()) })
}
