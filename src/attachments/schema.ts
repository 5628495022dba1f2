import { z } from 'zod'
import { listText } from '../format'
import type { Settings, ToOpenBoard } from '../protocol'
import { id } from '../schema'
import { userSummary } from '../users/schema'

/** Which files a server accepts, as its host configured. */
export type AcceptedFiles = Settings['attachments']

export const THUMBNAIL_MAX_BYTES = 60 * 1024
export const THUMBNAIL_MAX_SIDE = 320
export const THUMBNAIL_TYPE = 'image/webp'
const FILE_NAME_MAX = 255

export const fileTooLarge = ({ maxBytes }: AcceptedFiles) => `The file exceeds the ${maxBytes / 2 ** 20}MB size limit.`
/** The disk is shared with the database. */
export const BOARD_FILES_MAX_BYTES = 1024 ** 3
export const TASK_FILES_MAX = 500
export const BOARD_FULL = 'This board has reached its limit of 1 GB of files. Remove some first.'
export const TASK_FULL = `A task can have at most ${TASK_FILES_MAX} files. Remove some first.`

export const FILE_EMPTY = 'This file is empty.'

/** Known kinds by name; server/fileContent.ts checks the contents. */
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

const extensionOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** `other` if accepted without checking its contents; undefined if not accepted. */
export function kindByName(name: string, { types }: AcceptedFiles): FileKind | 'other' | undefined {
  const extension = extensionOf(name)
  const kind = KIND_BY_EXTENSION.get(extension)
  const isPicture = kind === 'image' || kind === 'svg'
  if (types.includes('any') || types.includes(extension) || (isPicture && types.includes('images'))) return kind ?? 'other'
}

/** For a file input's `accept`; empty for any. */
export const acceptedExtensions = ({ types }: AcceptedFiles): string[] => {
  if (types.includes('any')) return []
  const images = types.includes('images') ? ['image/*', ...[...EXTENSIONS.image, ...EXTENSIONS.svg].map((one) => `.${one}`)] : []
  return [...images, ...types.filter((type) => type !== 'images').map((type) => `.${type}`)]
}

const IMAGES = 'images'
const TYPES_BY_NAME = { [IMAGES]: [IMAGES], PDF: ['pdf'], Word: ['doc', 'docx'], Excel: ['xls', 'xlsx'], 'plain text': ['txt'] }

/** "Only images, PDF, Word, Excel and plain text files are accepted." "Word" only if DOC and DOCX both are. */
export function typeNotAccepted(accepted: AcceptedFiles): string {
  const named = Object.entries(TYPES_BY_NAME).filter(([, types]) => types.every((type) => accepted.types.includes(type)))
  const nameOf = (type: string) => named.find(([, types]) => types.includes(type))?.[0] ?? type.toUpperCase()
  const names = [...new Set(accepted.types.map(nameOf))]
  return `Only ${listText(names)}${names.at(-1) === IMAGES ? '' : ' files'} are accepted.`
}

const BROWSER_IMAGES = /^image\/(png|apng|jpeg|gif|webp|avif|bmp|x-icon)$/
export const isBrowserImage = (mimeType: string): boolean => BROWSER_IMAGES.test(mimeType)

/** Slashes, control characters and direction overrides. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd/\\]/u

/** Names are stored exactly as given, or refused with this message. */
export function fileNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'The file has no name.'
  if (name.length > FILE_NAME_MAX) return `The file’s name has more than ${FILE_NAME_MAX} characters. Please rename it.`
  if (UNSAFE_CHARACTERS.test(name) || !name.isWellFormed())
    return 'The file’s name has characters that are not accepted. Please rename it.'
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
