import { kindByName } from '../schema'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const OLE = 'application/x-cfb'
const IMAGES = /^image\/(png|apng|jpeg|gif|webp|avif|bmp|heic|heif|heic-sequence|heif-sequence|tiff|x-icon)$/

/** The type of a file, by what is in it; undefined where that is not accepted, or not what the name says. */
export async function typeOf(bytes: Buffer, name: string): Promise<string | undefined> {
  const kind = kindByName(name)
  // Text has no signature: any first letters may be those of something else.
  if (kind === 'txt') return isText(bytes) ? 'text/plain' : undefined
  if (kind === 'svg') return isSvg(bytes) ? 'image/svg+xml' : undefined
  const { fileTypeFromBuffer } = await import('file-type')
  const found = (await fileTypeFromBuffer(bytes))?.mime ?? ''
  switch (kind) {
    case 'image':
      return IMAGES.test(found) && isWholeSignature(bytes, found) ? found : undefined
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

/** The lengths that the header after a bitmap's first one can have. */
const BITMAP_HEADERS = [12, 40, 52, 56, 64, 108, 124]

/** Of these two the library looks at so few letters that a text could begin with them. */
function isWholeSignature(bytes: Buffer, type: string): boolean {
  if (type === 'image/gif') return /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))
  if (type === 'image/bmp') return bytes.length > 18 && BITMAP_HEADERS.includes(bytes.readUInt32LE(14))
  return true
}

/** Whether an OLE file's directory names a stream: that tells Word from Excel, and both from installers. */
const hasStream = (bytes: Buffer, name: string) => bytes.includes(Buffer.from(`${name}\0`, 'utf16le'))

const utf16 = (bytes: Buffer) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe && 'utf-16le') || (bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be')

/** Text in any encoding has no NUL, but for that of old Windows editors, which says so at its beginning. */
function isText(bytes: Buffer): boolean {
  const encoding = utf16(bytes)
  return encoding ? !new TextDecoder(encoding).decode(bytes).includes('\0') : !bytes.includes(0)
}

/** What may stand before an SVG's root. Each part ends where it ends in one way only, so long ones take no long time. */
const PROLOG = /\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/isy
const ROOT = /<(?:[\w.-]+:)?svg[\s/>]/y

function isSvg(bytes: Buffer): boolean {
  const text = new TextDecoder(utf16(bytes) || 'utf-8').decode(bytes)
  if (text.includes('\0')) return false
  let at = 0
  for (PROLOG.lastIndex = 0; PROLOG.test(text); at = PROLOG.lastIndex);
  ROOT.lastIndex = at
  return ROOT.test(text)
}
