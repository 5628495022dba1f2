/**
 * `bun run screenshots [name…]`: every screen of the demonstration team, at three widths, light and dark, in `screenshots/`,
 * which git ignores. Names choose some of them, as in `shots.ts`. A run of all also makes the README's pictures anew.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createSessions } from '../../src/auth/server/sessions'
import type { Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { boardMembers, boards, users } from '../../src/db/tables'
import { seed } from '../../src/site/demonstration/seed'
import { makePlace, run } from '../bench/servers'
import { executablePath } from '../support/chromium'
import { createAccount } from '../support/people'
import { type Demonstration, EMPTY_BOARD, LARGE_BOARD_TASKS, NEWCOMER, SHOTS, type Shot } from './shots'

const ROOT = join(import.meta.dir, '../..')
const FOLDER = join(ROOT, 'screenshots')
const PICTURES = join(ROOT, 'docs/images')
const WIDTHS = { 390: 844, 820: 1180, 1440: 900 }
const SCHEMES = ['light', 'dark'] as const

async function main() {
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((name) => SHOTS.every((shot) => shot.name !== name))
  if (unknown.length > 0)
    throw new Error(`there is no ${unknown.join(', ')}; there is ${SHOTS.map(({ name }) => name).join(', ')}`)
  const shots = SHOTS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
  await Bun.$`bun run build`.quiet()
  const place = await makePlace(undefined)
  const { db, close } = await openDatabase(place)
  const demonstration = await fill(db)
  await close()
  const server = await run('src/main.ts', place)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    if (chosen.length === 0) await rm(FOLDER, { recursive: true, force: true })
    await mkdir(FOLDER, { recursive: true })
    for (const shot of shots)
      for (const [width, height] of Object.entries(WIDTHS))
        for (const scheme of SCHEMES)
          await take(browser, server.origin, demonstration, shot, { width: Number(width), height, scheme })
  } finally {
    await browser.close()
    await server.stop()
    await place.remove()
  }
}

async function fill(db: Db): Promise<Demonstration> {
  await seed(db, LARGE_BOARD_TASKS)
  await addNewcomer(db)
  const sessions = createSessions(db, () => false)
  const people = await db.select({ id: users.id, username: users.username }).from(users)
  const cookies: Demonstration['cookies'] = {}
  for (const { id, username } of people) {
    const [name = '', value = ''] = (await sessions.start(id, { remember: true })).replace(/;.*/, '').split('=')
    cookies[username] = { name, value }
  }
  const named = await db.select({ id: boards.id, name: boards.name }).from(boards)
  return { cookies, boards: Object.fromEntries(named.map(({ id, name }) => [name, id])) }
}

async function addNewcomer(db: Db) {
  await createAccount(db, { username: NEWCOMER, email: `${NEWCOMER}@studio.example`, name: 'Noor Haddad' })
  const [maya] = await db.select({ id: users.id }).from(users).where(eq(users.username, 'maya'))
  const [board] = await db
    .insert(boards)
    .values({ name: EMPTY_BOARD, createdBy: maya?.id ?? null })
    .returning()
  if (maya && board) await db.insert(boardMembers).values({ boardId: board.id, userId: maya.id })
}

type Look = { width: number; height: number; scheme: (typeof SCHEMES)[number] }

async function take(browser: Browser, baseURL: string, demonstration: Demonstration, shot: Shot, look: Look) {
  const { width, height, scheme } = look
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-CA',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    hasTouch: width < 600,
  })
  const cookie = shot.as && demonstration.cookies[shot.as]
  if (cookie) await context.addCookies([{ ...cookie, url: baseURL }])
  const page = await context.newPage()
  // Quick machines use up the calls that a user has in a minute.
  let refusedFor = 0
  page.on('response', (response) => {
    if (response.status() === 429) refusedFor = Number(response.headers()['retry-after'] ?? 1)
  })
  const file = `${shot.name}-${width}-${scheme}`
  try {
    await page.goto(typeof shot.path === 'string' ? shot.path : shot.path(demonstration))
    await shot.until(page)
    await shot.then?.(page, { narrow: width < 640 })
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(FOLDER, `${file}.png`) })
    if (shot.picture && width === 1440 && scheme === 'light') await storePicture(page, shot.picture)
  } catch (error) {
    if (refusedFor > 0) {
      await Bun.sleep(refusedFor * 1_000)
      return take(browser, baseURL, demonstration, shot, look)
    }
    console.error(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    process.exitCode = 1
    await page.screenshot({ path: join(FOLDER, `${file}-failed.png`) })
  } finally {
    await context.close()
  }
}

/** Chromium itself makes the WebP. */
async function storePicture(page: Page, name: string) {
  const png = (await page.screenshot()).toString('base64')
  const blank = await page.context().newPage()
  const webp = await blank.evaluate(async (given) => {
    const bytes = Uint8Array.from(atob(given), (char) => char.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
    return [...new Uint8Array(await blob.arrayBuffer())]
  }, png)
  await mkdir(PICTURES, { recursive: true })
  await Bun.write(join(PICTURES, `${name}.webp`), Uint8Array.from(webp))
}

await main()
