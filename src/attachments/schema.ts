import { z } from 'zod'
import type { ToOpenBoard } from '../protocol'
import { id } from '../schema'
import { userSummary } from '../users/schema'

export const FILE_MAX_BYTES = 5 * 2 ** 20
export const THUMBNAIL_MAX_BYTES = 60 * 1024
export const THUMBNAIL_MAX_SIDE = 320
export const THUMBNAIL_TYPE = 'image/webp'
const FILE_NAME_MAX = 255

export const FILE_TOO_LARGE = 'The file exceeds the 5MB size limit.'
/** The disk is shared with the database. */
export const BOARD_FILES_MAX_BYTES = 1024 ** 3
export const TASK_FILES_MAX = 500
export const BOARD_FULL = 'The files of this board fill 1 GB. Remove some first.'
export const TASK_FULL = `A task holds ${TASK_FILES_MAX} files. Remove some first.`

export const FILE_EMPTY = 'The file is empty.'
export const TYPE_NOT_ACCEPTED = 'Only images, PDF, Word, Excel and plain text files are accepted.'

/** Accepted files by name; server/fileContent.ts checks the contents. */
const EXTENSIONS = {
  image: ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'webp', 'avif', 'bmp', 'heic', 'heif', 'tif', 'tiff', 'ico'],
  svg: ['svg'],
  pdf: ['pdf'],
  doc: ['doc'],
  docx: ['docx'],
  xls: ['xls'],
  xlsx: ['xlsx'],
  txt: ['txt'],
} as const
export type FileKind = keyof typeof EXTENSIONS
// Object.entries widens its keys to string.
const KIND_BY_EXTENSION = new Map<string, FileKind>(
  Object.entries(EXTENSIONS).flatMap(([kind, endings]) => endings.map((ending) => [ending, kind as FileKind])),
)
export const ACCEPTED_EXTENSIONS = [...KIND_BY_EXTENSION.keys()].map((ending) => `.${ending}`)

export const kindByName = (name: string): FileKind | undefined =>
  KIND_BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')

const BROWSER_IMAGES = /^image\/(png|apng|jpeg|gif|webp|avif|bmp|x-icon)$/
export const isBrowserImage = (mimeType: string): boolean => BROWSER_IMAGES.test(mimeType)

/** Slashes, control characters and direction overrides. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd/\\]/u

/** Names are stored exactly as given, or refused with this message. */
export function fileNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'The file has no name.'
  if (name.length > FILE_NAME_MAX) return `The file's name has more than ${FILE_NAME_MAX} characters. Please rename it.`
  if (UNSAFE_CHARACTERS.test(name) || !name.isWellFormed())
    return "The file's name has characters that are not accepted. Please rename it."
}

export const attachment = z.object({
  id,
  taskId: id,
  userId: id,
  filename: z.string(),
  originalFilename: z.string(),
  fileSize: z.number(),
  mimeType: z.string(),
  fileUrl: z.string(),
  thumbnailUrl: z.string().nullable(),
  createdAt: z.string(),
  user: userSummary,
})
export type Attachment = z.infer<typeof attachment>

export type AttachmentMessage =
  | ToOpenBoard<'attachment_added', { taskId: number; attachment: Attachment; fileCount: number; updatedAt: string }>
  | ToOpenBoard<'attachment_deleted', { taskId: number; attachmentId: number; fileCount: number; updatedAt: string }>

declare module '../protocol' {
  interface Messages {
    attachments: AttachmentMessage
  }
}
