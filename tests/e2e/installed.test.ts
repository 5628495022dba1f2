import { afterAll, expect, test } from 'bun:test'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { tasks } from '../../src/db/tables'
import { inChromium, register, signUp } from '../support/chromium'
import { openQuick } from '../support/databases'
import { formWith, uploadsFolder } from '../support/files'
import { lineTo } from '../support/line'
import { button, says } from '../support/page'
import { placeOn, QUICKER } from '../support/places'
import { dataFolder, startServerIn } from '../support/process'
import { until } from '../support/until'
import { hide } from './storages'

const line = await lineTo('http://127.0.0.1')
const uploads = await uploadsFolder()
const origin = new URL(line.url).origin
const ROOT = join(import.meta.dir, '../..')
afterAll(() => Promise.all([line.close(), uploads.remove()]))

/** Waits until the worker has all that it keeps, and the page asks it. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })

const cached = (page: Page) =>
  page.evaluate(async () => {
    const shells = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    return (await Promise.all(shells.map((shell) => shell.keys()))).flat().map(({ url }) => new URL(url).pathname)
  })

inChromium(
  'the installed app',
  (site) => {
    function open(name: string) {
      line.mend()
      line.lead(`http://127.0.0.1:${site.port}`)
      return site.open(name, { baseURL: origin, serviceWorkers: 'allow' })
    }

    test('is described by a manifest, whose icons are as large as it says', async () => {
      const page = await open('visitor')
      const devtools = await page.context().newCDPSession(page)
      for (const path of ['/', '/login']) {
        await page.goto(path)
        const { errors, data } = await devtools.send('Page.getAppManifest')
        expect(errors).toEqual([])
        const manifest = JSON.parse(data ?? '')
        expect(manifest).toMatchObject({ name: 'wrk', display: 'standalone', start_url: '/', scope: '/' })
        const own = { src: await page.locator('[rel=apple-touch-icon]').getAttribute('href'), sizes: '180x180' }
        for (const { src, sizes } of [...manifest.icons, own])
          expect([src, await page.evaluate(sizeOf, src)]).toEqual([src, sizes])
        expect(
          manifest.icons.map(({ sizes, purpose = 'any' }: { sizes: string; purpose?: string }) => `${sizes} ${purpose}`),
        ).toEqual(['192x192 any', '512x512 any', '512x512 maskable'])
      }
    })

    test('opens without a connection wherever one goes, and says so in its own words', async () => {
      const page = await open('ada')
      await signUp(page, 'una')
      await kept(page)
      line.fail('cut')
      for (const path of ['/', '/board/1', '/una', '/no/such/page', '/login']) {
        await page.goto(path)
        await page.waitForFunction(() => document.querySelector('#root :is(h1, a, button)'))
        expect([path, await page.title()]).toEqual([path, expect.stringContaining('wrk')])
      }
      line.mend()
      await page.goto('/')
      await says(page, 'Welcome, Una')
    })

    test('opens a large board without a connection, whole and as it was seen last', async () => {
      const page = await open('ada')
      await signUp(page, 'uma')
      await kept(page)
      const board = await (await page.request.post('/api/boards', { data: { name: 'Orchard' } })).json()
      const titles = Array.from({ length: 520 }, (_, nth) => `Tree ${nth}`)
      const { db } = await openQuick()
      await db
        .insert(tasks)
        .values(titles.map((title, nth) => ({ boardId: board.id, title, position: `a${String(nth).padStart(4, '0')}` })))
      await page.goto(`/board/${board.id}`)
      await page.getByText('520', { exact: true }).waitFor()
      await page.evaluate(hide)
      await until('it is kept', () => page.evaluate(keptTasks))
      line.fail('cut')
      await page.reload()
      await page.getByText('520', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Filter tasks' }).fill('Tree 519')
      await page.getByRole('button', { name: 'Tree 519', exact: true }).waitFor()
    })

    test('opens where the server says nothing', async () => {
      const page = await open('ada')
      await page.goto('/login')
      await kept(page)
      line.fail('silent')
      await page.goto('/no/such/page', { waitUntil: 'commit' })
      expect(await page.locator('#root').count()).toBe(1)
    })

    test('is not given to itself again where nobody is signed in', async () => {
      const page = await open('visitor')
      await page.goto('/login')
      await kept(page)
      line.fail('cut')
      await page.goto('/')
      await page.locator('#root button').waitFor()
      await page.evaluate(() => window.location.replace('/'))
      await page.waitForFunction(() => !document.querySelector('#root'))
    })

    test('keeps nothing that somebody was answered, while they work and when they are gone', async () => {
      const page = await open('ada')
      await signUp(page, 'ute')
      await kept(page)
      const board = await (await page.request.post('/api/boards', { data: { name: 'Spring catalogue' } })).json()
      for (const path of [`/board/${board.id}`, '/ute']) {
        await page.goto(path)
        await page.getByRole('heading').first().waitFor()
      }
      await page.goto('/')
      await button(page, 'Log out').click()
      await page.waitForURL('**/login')
      // The sign-out has cleared that as well.
      await kept(page)
      const paths = await cached(page)
      expect(paths).toContain('/index.html')
      expect(
        paths.filter(
          (path) => !/^\/(index\.html$|assets\/|favicon\.svg$|manifest\.webmanifest$|images\/default-profile\.png$)/.test(path),
        ),
      ).toEqual([])
      line.fail('cut')
      await page.goto('/')
      await page.locator('#root button').waitFor()
      expect(await page.getByText('Ute').count()).toBe(0)
    })

    test('has no other worker than its own, whatever one uploads', async () => {
      const page = await open('eve')
      await register(page, 'eve')
      const board = await (await page.request.post('/api/boards', { data: { name: 'Lair' } })).json()
      const task = await (await page.request.post(`/api/boards/${board.id}/tasks`, { data: { title: 'Spy' } })).json()
      const form = new Response(formWith('self.onfetch = (event) => event.respondWith(new Response("mine"))', 'sw.txt'))
      const answer = await page.request.post(`/api/attachments/${task.id}`, {
        headers: { 'content-type': form.headers.get('content-type') ?? '' },
        data: Buffer.from(await form.arrayBuffer()),
      })
      expect(answer.status()).toBe(201)
      await page.goto('/')
      await kept(page)
      for (const script of [(await answer.json()).fileUrl, '/api/auth/me', '/board/1'])
        expect([script, await page.evaluate(registered, script)]).toEqual([script, 'SecurityError'])
      const scripts = await page.evaluate(async () =>
        (await navigator.serviceWorker.getRegistrations()).map(({ active }) => new URL(active?.scriptURL ?? '').pathname),
      )
      expect(scripts).toEqual(['/sw.js'])
    })

    test('is replaced by a new build, and a page of the build before finds its files', async () => {
      const page = await open('visitor')
      await page.goto('/terms')
      await page.evaluate(() => caches.open('shell of long ago'))
      await page.goto('/login')
      await kept(page)
      const before = await page.locator('script[src]').getAttribute('src')
      const [code, place] = await Promise.all([nextCode(), placeOn(QUICKER)])
      const next = await startServerIn(code.path, place.env)
      line.lead(next.origin)
      await page.reload()
      await until('the new worker has taken over', () =>
        page.evaluate(async () => !(await caches.keys()).includes('shell of long ago')),
      )
      line.fail('cut')
      await page.reload()
      await page.locator('html[data-build=next]').waitFor()
      expect(await page.evaluate(async (path) => (await fetch(path ?? '')).status, before)).toBe(200)
      next.child.kill('SIGTERM')
      await next.child.exited
      await Promise.all([code.remove(), place.remove()])
    })

    test('is gone where one develops it', async () => {
      const page = await open('developer')
      await page.goto('/login')
      await kept(page)
      const place = await placeOn(QUICKER)
      const development = await startServerIn(ROOT, place.env, { options: ['--dev'] })
      // Bundles what it is first asked for, which may take longer than the worker's patience.
      await fetch(`${development.origin}/login`)
      line.lead(development.origin)
      await page.goto('/login')
      await until('nothing is kept', () =>
        page.evaluate(async () => !(await navigator.serviceWorker.getRegistration()) && (await caches.keys()).length === 0),
      )
      development.child.kill('SIGTERM')
      await development.child.exited
      await place.remove()
    })
  },
  { PUBLIC_URL: origin, ...uploads.env },
)

/** Whether the browser holds the board. */
const keptTasks = () =>
  new Promise<boolean>((resolve) => {
    const opening = indexedDB.open('wrk answers')
    opening.onsuccess = () => {
      const all = opening.result.transaction('answers').objectStore('answers').getAll()
      all.onsuccess = () => resolve(all.result.some(({ json }) => json?.includes('Tree 519')))
    }
  })

const sizeOf = async (src: string) => {
  const { width, height } = await createImageBitmap(await (await fetch(src)).blob())
  return `${width}x${height}`
}

const registered = (script: string) =>
  navigator.serviceWorker.register(script).then(
    () => 'registered',
    (error: Error) => error.name,
  )

/** The same code with one more line, as after a deploy. */
async function nextCode() {
  const folder = await dataFolder()
  for (const name of ['src', 'public', 'drizzle', 'package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json', 'node_modules'])
    await symlinkOrCopy(name, folder.path)
  const main = join(folder.path, 'src/app/main.ts')
  await writeFile(main, `${await Bun.file(main).text()}\ndocument.documentElement.dataset.build = 'next'\n`)
  return folder
}

/** What is built from has to be a copy, for Bun looks where links lead. */
const symlinkOrCopy = (name: string, folder: string) =>
  name === 'src' ? cp(join(ROOT, name), join(folder, name), { recursive: true }) : symlink(join(ROOT, name), join(folder, name))
