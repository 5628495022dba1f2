import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { attachment } from '../../src/attachments/schema'
import { attachments, unwantedFiles } from '../../src/db/tables'
import { type Browser, browser } from '../support/browser'
import { bucket } from '../support/bucket'
import { attach, formWith, PNG, uploadsIn, WEBP } from '../support/files'
import { workUntilKilled } from '../support/kill'
import { type Place, placeOn, QUICKER } from '../support/places'
import { startServer } from '../support/process'

setDefaultTimeout(300_000)

/** Each costs a start, which is a second or two of work: few while one edits, all of them where it counts. */
const ROUNDS = process.env.CI ? 4 : 2

describe(`killed amid uploads (${QUICKER})`, () => {
  let place: Place
  let folder: Awaited<ReturnType<typeof uploadsIn>>
  beforeEach(async () => {
    place = await placeOn(QUICKER)
    folder = await uploadsIn(place.env.DATA_DIR)
  })
  afterEach(() => place.remove())

  /** An hour goes by while no process is there; answers which files have a row. */
  const laterOn = () =>
    place.within(async (db) => {
      await db.update(unwantedFiles).set({ dueAt: sql`now()` })
      const rows = await db.select({ filename: attachments.filename }).from(attachments)
      return rows.map(({ filename }) => filename)
    })

  test('a process leaves no file behind for long, and no attachment without its file', async () => {
    const acknowledged = new Map<string, string>()
    let cookie = ''
    let taskId = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { child, origin } = await startServer(place.env)
      const ada = browser(origin, cookie)
      if (round === 0) taskId = await beginning(ada)
      cookie = ada.cookie()
      // Of each round one goes again, so that deletions are cut off as well.
      const gone = [...acknowledged.keys()][0]
      const deleting = z
        .array(attachment)
        .parse((await ada.http('GET', `/api/attachments/${taskId}`)).body)
        .find(({ fileUrl }) => fileUrl === gone)
      if (gone && deleting) {
        acknowledged.delete(gone)
        await ada.http('DELETE', `/api/attachments/${deleting.id}`)
      }
      const kill = () => child.kill('SIGKILL')
      await workUntilKilled(3 + round * 4, kill, () => isUploaded(ada, taskId, acknowledged))
      await child.exited
    }
    const rows = await laterOn()
    const { child, origin } = await startServer(place.env)
    await folder.until((names) => names.length === rows.length)
    expect((await folder.names()).toSorted()).toEqual(rows.toSorted())
    const ada = browser(origin, cookie)
    for (const [fileUrl, content] of acknowledged) expect((await ada.http('GET', fileUrl)).text).toBe(content)
    const listed = z.array(attachment).parse((await ada.http('GET', `/api/attachments/${taskId}`)).body)
    for (const { fileUrl, fileSize } of listed) expect((await ada.http('GET', fileUrl)).bytes).toHaveLength(fileSize)
    child.kill('SIGTERM')
    await child.exited
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * 2)
  })

  test('between the file and its row, the next process deletes the file and its thumbnail when their hour is over', async () => {
    const s3 = bucket()
    const env = { ...place.env, ...s3.env }
    const first = await startServer(env)
    const ada = browser(first.origin)
    const taskId = await beginning(ada)
    const kept = await attach(ada, taskId)
    s3.behave('hangs')
    const upload = ada.http('POST', `/api/attachments/${taskId}`, formWith(PNG, 'a.png', 'file', WEBP)).catch(() => 'cut off')
    await s3.until((names) => names.length === 3)
    first.child.kill('SIGKILL')
    expect(await upload).toBe('cut off')
    await first.child.exited
    s3.behave('works')
    expect(await laterOn()).toEqual([kept.filename])
    const second = await startServer(env)
    await s3.until((names) => names.length === 1)
    expect(await s3.names()).toEqual([kept.filename])
    second.child.kill('SIGTERM')
    await second.child.exited
    await s3.remove()
  })
})

const made = z.object({ id: z.number() })

async function beginning(ada: Browser): Promise<number> {
  await ada.http('POST', '/api/auth/dev-login-json')
  const board = made.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body)
  return made.parse((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })).body).id
}

async function isUploaded(ada: Browser, taskId: number, acknowledged: Map<string, string>): Promise<boolean> {
  const content = crypto.randomUUID().repeat(2_000)
  const answer = await ada.http('POST', `/api/attachments/${taskId}`, formWith(content, 'a.txt')).catch(() => null)
  if (!answer) return false
  expect(answer.status).toBe(201)
  acknowledged.set(attachment.parse(answer.body).fileUrl, content)
  return true
}
