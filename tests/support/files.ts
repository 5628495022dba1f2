import { expect } from 'bun:test'
import { watch } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Attachment, attachment } from '../../src/attachments/schema'
import { avatarUrl } from '../../src/users/schema'
import type { Browser } from './browser'
import { dataFolder } from './process'
import { happenings } from './until'

/** A picture of one red dot. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

/** The same, as a thumbnail. */
export const WEBP = Buffer.from('UklGRhwAAABXRUJQVlA4TA8AAAAvAAAAAAcQ/Y/+ByKi/wEA', 'base64')

/** A form with one file, and perhaps a thumbnail after it, as a browser sends it. */
export function formWith(
  bytes: string | Uint8Array<ArrayBuffer>,
  name: string,
  field = 'file',
  thumbnail?: string | Uint8Array<ArrayBuffer>,
) {
  const form = new FormData()
  form.append(field, new Blob([bytes]), name)
  if (thumbnail !== undefined) form.append('thumbnail', new Blob([thumbnail]), 'blob')
  return form
}

/** Uploads a file as somebody; fails where it is refused. */
export async function attach(
  person: Pick<Browser, 'http'>,
  taskId: number,
  name = 'dot.png',
  bytes: string | Uint8Array<ArrayBuffer> = PNG,
  thumbnail?: string | Uint8Array<ArrayBuffer>,
): Promise<Attachment> {
  const answer = await person.http('POST', `/api/attachments/${taskId}`, formWith(bytes, name, 'file', thumbnail))
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.any(String)])
  return attachment.parse(answer.body)
}

/** Gives somebody an avatar; answers its address. */
export async function uploadAvatar(person: Pick<Browser, 'http'>, bytes: Uint8Array<ArrayBuffer> = PNG): Promise<string> {
  const answer = await person.http('POST', '/api/upload/avatar', formWith(bytes, 'me.png', 'avatar'))
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.any(String)])
  return avatarUrl.parse(answer.body).url
}

/** A data folder whose uploads can be looked at, unfinished ones too; its `env` names it to a server. */
export async function uploadsFolder() {
  const { path, remove } = await dataFolder()
  return { env: { DATA_DIR: path }, ...(await uploadsIn(path)), remove }
}

/** The uploads of a data folder. */
export async function uploadsIn(path: string) {
  const folder = join(path, 'uploads')
  await mkdir(folder)
  return {
    folder,
    names: () => readdir(folder),
    /** Waits until the folder holds what it should. */
    async until(isRight: (names: string[]) => boolean): Promise<void> {
      const { happen, until } = happenings()
      const watcher = watch(folder, happen)
      await until(
        async () => isRight(await readdir(folder)),
        () => 'the folder of uploads is not as it should be',
      ).finally(() => watcher.close())
    },
  }
}
