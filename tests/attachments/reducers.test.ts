import { describe, expect, test } from 'bun:test'
import { applyToAttachments } from '../../src/attachments/page/cache'
import { shortName, sizeText } from '../../src/attachments/page/display'
import type { Attachment } from '../../src/attachments/schema'

const file = (id: number): Attachment => ({
  id,
  taskId: 1,
  userId: 1,
  filename: `f${id}`,
  originalFilename: `${id}.png`,
  fileSize: 1,
  mimeType: 'image/png',
  fileUrl: `/uploads/f${id}`,
  thumbnailUrl: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  user: { id: 1, username: 'ada', name: null, avatar: '' },
})
const added = (id: number) =>
  ({ type: 'attachment_added', payload: { taskId: 1, attachment: file(id), fileCount: 1, updatedAt: '' } }) as const
const deleted = (attachmentId: number) =>
  ({ type: 'attachment_deleted', payload: { taskId: 1, attachmentId, fileCount: 0, updatedAt: '' } }) as const

describe('a change applied to the files of a task', () => {
  const files = [file(1), file(3)]
  for (const change of [added(2), added(3), added(4), deleted(1), deleted(9)])
    test(`${JSON.stringify(change).slice(0, 80)} leaves the list it was given as it was, and twice is as once`, () => {
      const before = structuredClone(files)
      const once = applyToAttachments(1, files, change)
      expect(files).toEqual(before)
      expect(applyToAttachments(1, once, change)).toEqual(once)
    })

  test('they stay in their order, whichever is heard of first', () => {
    const ids = [added(4), added(2), deleted(1)]
      .reduce((list, change) => applyToAttachments(1, list, change), files)
      .map(({ id }) => id)
    expect(ids).toEqual([2, 3, 4])
  })
})

test('whoever uploaded them has their new name', () => {
  const user = { id: 1, username: 'grace', name: 'Grace', avatar: '' }
  const change = { type: 'user_profile_updated', payload: { user } } as const
  expect(applyToAttachments(1, [file(1)], change)).toEqual([{ ...file(1), user }])
  const others = [file(1)]
  expect(applyToAttachments(1, others, { ...change, payload: { user: { ...user, id: 2 } } })).toBe(others)
})

describe('a size', () => {
  const sizes: [number, string][] = [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [1536, '1.5 KB'],
    [1_048_575, '1.0 MB'],
    [5_242_880, '5.0 MB'],
  ]
  for (const [bytes, text] of sizes) test(`of ${bytes} bytes is ${text}`, () => expect(sizeText(bytes)).toBe(text))
})

test('a long name is cut in the middle, between letters as one sees them', () => {
  expect(shortName('notes.txt')).toBe('notes.txt')
  expect(shortName(`${'a'.repeat(60)}.txt`)).toBe(`${'a'.repeat(60)}.txt`)
  expect(shortName(`${'a'.repeat(100)}👩‍🌾 the end.txt`)).toBe(`${'a'.repeat(43)}…${'a'.repeat(7)}👩‍🌾 the end.txt`)
})
