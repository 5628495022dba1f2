import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DIST, loadPage, type Page } from '../../src/server/page'
import { buildIfStale } from '../../src/web/build'

setDefaultTimeout(60_000)

describe('the built page', () => {
  let page: Page
  beforeAll(async () => {
    await buildIfStale()
    page = await loadPage()
  }, 60_000)
  const get = (path: string, headers = {}) => page.answer(new Request(`http://localhost${path}`, { headers }))
  const fileOf = async (folder: string) =>
    `/${folder}/${(await readdir(join(DIST, folder))).find((file) => !file.endsWith('.gz'))}`

  test('only what has its contents in its name is kept for ever', async () => {
    const kept = async (path: string) => [get(path).status, get(path).headers.get('cache-control')]
    expect(await kept(await fileOf('assets'))).toEqual([200, 'public, max-age=31536000, immutable'])
    for (const path of ['/', '/board/7', await fileOf('fonts'), '/images/default-profile.png'])
      expect([path, ...(await kept(path))]).toEqual([path, 200, 'no-cache'])
  })

  test('a missing file is not answered with the page, any other path is', () => {
    for (const path of ['/assets/old.js', '/images/none.png', '/fonts/none.woff2'])
      expect([path, get(path).status]).toEqual([path, 404])
    expect(get('/board/7').headers.get('content-type')).toStartWith('text/html')
  })

  test('has the theme that was chosen', async () => {
    const theme = async (cookie: string) => /<html[^>]*data-theme="(\w+)"/.exec(await get('/', { cookie }).text())?.[1]
    expect(await Promise.all(['theme=dark', 'a=b; theme=light', 'theme=pink', ''].map(theme))).toEqual([
      'dark',
      'light',
      undefined,
      undefined,
    ])
  })
})
