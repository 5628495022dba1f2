import { fileTypeFromBuffer } from 'file-type'
import { type AcceptedFiles, type FileKind, isBrowserImage, kindByName, THUMBNAIL_MAX_BYTES, THUMBNAIL_MAX_SIDE } from '../schema'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const OLE = 'application/x-cfb'
const IMAGES = /^image\/(png|apng|jpeg|gif|webp|avif|bmp|heic|heif|heic-sequence|heif-sequence|tiff|x-icon)$/

const ANY = 'application/octet-stream'

/** Undefined for types missing from `accepted` and, unless any file is accepted, for contents that do not match the name. */
export async function detectMimeType(bytes: Buffer, name: string, accepted: AcceptedFiles): Promise<string | undefined> {
  const kind = kindByName(name, accepted)
  if (kind === 'other') return ANY
  return (await knownType(bytes, kind)) ?? (accepted.types.includes('any') ? ANY : undefined)
}

async function knownType(bytes: Buffer, kind: FileKind | undefined): Promise<string | undefined> {
  // Text has no signature, and may begin like one.
  if (kind === 'txt') return isText(bytes) ? 'text/plain' : undefined
  if (kind === 'svg') return isSvg(bytes) ? 'image/svg+xml' : undefined
  const found = (await fileTypeFromBuffer(bytes))?.mime ?? ''
  switch (kind) {
    case 'image':
      return IMAGES.test(found) && hasFullSignature(bytes, found) ? found : undefined
    case 'pdf':
      return found === 'application/pdf' ? found : undefined
    case 'docx':
      return found === WORD ? found : undefined
    case 'xlsx':
      return found === EXCEL ? found : undefined
    case 'doc':
      return found === OLE && hasStream(bytes, 'WordDocument') ? 'application/msword' : undefined
    case 'xls':
      return found === OLE && (hasStream(bytes, 'Workbook') || hasStream(bytes, 'Book')) ? 'application/vnd.ms-excel' : undefined
  }
}

const BITMAP_HEADERS = [12, 40, 52, 56, 64, 108, 124]

/** For these two the library checks so few bytes that plain text could pass. */
function hasFullSignature(bytes: Buffer, type: string): boolean {
  if (type === 'image/gif') return /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))
  if (type === 'image/bmp') return bytes.length > 18 && BITMAP_HEADERS.includes(bytes.readUInt32LE(14))
  return true
}

const hasStream = (bytes: Buffer, name: string) => bytes.includes(Buffer.from(`${name}\0`, 'utf16le'))

const utf16 = (bytes: Buffer) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe && 'utf-16le') || (bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be')

/** Only UTF-16, which has a byte order mark, contains NUL bytes. */
function isText(bytes: Buffer): boolean {
  const encoding = utf16(bytes)
  return encoding ? !new TextDecoder(encoding).decode(bytes).includes('\0') : !bytes.includes(0)
}

/** What may precede an SVG's root. No backtracking, so that long input takes linear time. */
const PROLOG = /\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/isy
const ROOT = /<(?:[\w.-]+:)?svg[\s/>]/y

/** Reading more would block everyone else. */
const PROLOG_BYTES = 2 ** 20

function isSvg(bytes: Buffer): boolean {
  if (!isText(bytes)) return false
  const text = new TextDecoder(utf16(bytes) || 'utf-8').decode(bytes.subarray(0, PROLOG_BYTES))
  let at = 0
  for (PROLOG.lastIndex = 0; PROLOG.test(text); at = PROLOG.lastIndex);
  ROOT.lastIndex = at
  return ROOT.test(text)
}

/** The sender's thumbnail, if it is a small WebP. */
export async function thumbnailFrom(bytes: Buffer | undefined, type: string): Promise<Buffer | undefined> {
  if (!bytes || bytes.length > THUMBNAIL_MAX_BYTES || !isBrowserImage(type) || !isWholeWebp(bytes)) return undefined
  const { width, height } = await new Bun.Image(bytes).metadata().catch(() => ({ width: 0, height: 0 }))
  const isSmall = width > 0 && height > 0 && Math.max(width, height) <= THUMBNAIL_MAX_SIDE
  return isSmall ? bytes : undefined
}

const isWholeWebp = (bytes: Buffer) =>
  wordAt(bytes, 0) === 'RIFF' && wordAt(bytes, 8) === 'WEBP' && bytes.readUInt32LE(4) + 8 === bytes.length

const wordAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)
