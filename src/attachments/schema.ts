import { z } from 'zod'
import type { ToOpenBoard } from '../protocol'
import { id } from '../schema'
import { userSummary } from '../users/schema'

/** 5 MB (board-page.md, section 9). */
export const LARGEST_FILE = 5 * 2 ** 20
const LONGEST_NAME = 255

export const FILE_TOO_LARGE = 'The file exceeds the 5MB size limit.'
/** At most so many bytes of files on a board, and so many files of a task. */
export const BOARD_QUOTA = 1024 ** 3
export const TASK_QUOTA = 500
export const BOARD_FULL = 'The files of this board fill 1 GB. Remove some first.'
export const TASK_FULL = `A task holds ${TASK_QUOTA} files. Remove some first.`

export const FILE_EMPTY = 'The file is empty.'
export const NOT_ACCEPTED = 'Only images, PDF, Word, Excel and plain text files are accepted.'

/** What is accepted, by the end of the name (board-page.md, section 5); kinds.ts looks at what is in it. */
const ENDINGS = {
  image: ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'webp', 'avif', 'bmp', 'heic', 'heif', 'tif', 'tiff', 'ico'],
  svg: ['svg'],
  pdf: ['pdf'],
  doc: ['doc'],
  docx: ['docx'],
  xls: ['xls'],
  xlsx: ['xlsx'],
  txt: ['txt'],
} as const
export type Kind = keyof typeof ENDINGS
const KINDS = new Map<string, Kind>(
  Object.entries(ENDINGS).flatMap(([kind, endings]) => endings.map((ending) => [ending, kind as Kind])),
)
export const ACCEPTED_ENDINGS = [...KINDS.keys()].map((ending) => `.${ending}`)

export const kindByName = (name: string): Kind | undefined => KINDS.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')

/** What every browser shows as a picture. */
const PICTURES = /^image\/(png|apng|jpeg|gif|webp|avif|bmp|x-icon)$/
export const isPicture = (mimeType: string): boolean => PICTURES.test(mimeType)

/** Slashes, control characters, and what turns the direction of text around, so that a name looks like another. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd/\\]/u

/** Names are kept exactly as they are, or refused. */
export function whatIsWrongWithName(name: string): string | undefined {
  if (name.trim() === '') return 'The file has no name.'
  if (name.length > LONGEST_NAME) return `The file's name has more than ${LONGEST_NAME} characters. Please rename it.`
  if (UNFIT.test(name) || !name.isWellFormed()) return "The file's name has characters that are not accepted. Please rename it."
}

export const attachment = z.object({
  id,
  taskId: id,
  userId: id,
  /** The store's own name for it. */
  filename: z.string(),
  originalFilename: z.string(),
  fileSize: z.number(),
  mimeType: z.string(),
  fileUrl: z.string(),
  createdAt: z.string(),
  user: userSummary,
})
export type Attachment = z.infer<typeof attachment>

/** What the live channel tells of attachments. */
export type AttachmentMessage =
  | ToOpenBoard<'attachment_added', { taskId: number; attachment: Attachment }>
  | ToOpenBoard<'attachment_deleted', { taskId: number; attachmentId: number }>

declare module '../protocol' {
  interface Messages {
    attachments: AttachmentMessage
  }
}
