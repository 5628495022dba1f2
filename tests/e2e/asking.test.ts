import { afterAll, expect, test } from 'bun:test'
import { inChromium } from '../support/chromium'
import { shows } from '../support/page'
import { proxy } from '../support/proxy'

let upstream = ''
const front = proxy(() => upstream)
front.letSockets(false)
afterAll(front.stop)

inChromium(
  'behind a proxy that lets no socket through',
  (site) => {
    test('a page says so and asks for what is new, until a socket comes', async () => {
      upstream = `http://127.0.0.1:${site.port}`
      const { ada, boardId } = await site.ownBoard(['asta', 'bela'], ['One'])
      const line = ada.getByRole('status').filter({ hasText: 'Not live: updates every few seconds' })
      await line.waitFor()
      expect(await ada.getByText('Reconnecting…').count()).toBe(0)

      const unchanged = ada.waitForResponse((answer) => answer.url().endsWith('/snapshot') && answer.status() === 304)
      expect((await unchanged).request().method()).toBe('HEAD')
      // As from another device of hers.
      const create = (title: string) => ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title } })
      await create('Two')
      await shows(ada, 'To Do', ['One', 'Two'])

      front.letSockets(true)
      await line.waitFor({ state: 'detached' })
      await create('Three')
      await shows(ada, 'To Do', ['One', 'Two', 'Three'])
    })
  },
  { PUBLIC_URL: front.origin },
)
