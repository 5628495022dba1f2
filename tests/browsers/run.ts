/**
 * `bun run test:browsers [name…]`: the main job in Chromium, Firefox and WebKit, each on a server of its own. The last thing that each
 * showed is in `screenshots/`, which git ignores.
 */
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withCleanUp } from '../bench/cleanUp'
import { makePlace, run } from '../bench/servers'
import { executablePath } from '../support/chromium'
import { PNG } from '../support/files'
import { mainJob } from './mainJob'
import { openWithPuppeteer } from './puppeteer'
import type { Tab } from './tab'
import { hasWebKit, openWebKit } from './webkit'

const PICTURES = join(import.meta.dir, '../../screenshots')
const CHROMIUM = executablePath
const FIREFOX = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path))

const ENGINES: Record<string, (() => Promise<Tab>) | undefined> = {
  chromium: CHROMIUM ? () => openWithPuppeteer('chrome', CHROMIUM) : undefined,
  firefox: FIREFOX ? () => openWithPuppeteer('firefox', FIREFOX) : undefined,
  webkit: hasWebKit ? openWebKit : undefined,
}

async function work() {
  const chosen = process.argv.slice(2)
  await Bun.$`bun run build`.quiet()
  const file = join(await mkdtemp(join(tmpdir(), 'wrk-browsers-')), 'sample.png')
  await Bun.write(file, PNG)
  let passed = 0
  let failed = 0
  for (const [name, open] of Object.entries(ENGINES)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const steps: string[] = []
    try {
      if (!open) throw new Error('it is not installed; CONTRIBUTING.md says how')
      await one(open, name, file, steps)
      console.log(`${name}: ${steps.join(', ')}`)
      passed++
    } catch (error) {
      console.error(`${name} failed at ${steps.at(-1) ?? 'its start'}:`, error)
      failed++
    }
  }
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

async function one(open: () => Promise<Tab>, name: string, file: string, steps: string[]) {
  const place = await makePlace(undefined)
  let server = await run('src/main.ts', place)
  const tab = await open()
  try {
    const stop = () => server.stop()
    const start = async () => {
      server = await run('src/main.ts', place)
    }
    await mainJob(tab, { origin: server.origin, stop, start }, name, file, (step) => steps.push(step))
  } finally {
    await Bun.write(join(PICTURES, `browser-${name}.png`), await tab.picture())
    await tab.close()
    await server.stop()
    await place.remove()
  }
}

await withCleanUp(work)
