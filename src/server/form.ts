import { badRequest, Refusal } from './errors'

const MAX_HEAD_BYTES = 4096

export const FORM_OVERHEAD = 2 * MAX_HEAD_BYTES

const BROKEN = 'The form could not be read'

type FileInForm = { name: string; bytes: Buffer }

/** Bun's own parser cuts names at NUL and leaves %22 in them. Throws BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE. */
export function fileIn(form: Buffer, contentType: string, field: string, second?: string): FileInForm & { second?: Buffer } {
  const delimiter = `--${boundaryOf(contentType)}`
  if (!form.subarray(0, delimiter.length).equals(Buffer.from(delimiter))) throw badRequest(BROKEN)
  const file = partAt(form, delimiter, delimiter.length)
  const name = nameIn(file.head, field)
  const next = file.isLast ? undefined : partAt(form, delimiter, file.end)
  const isRight = !next || (next.isLast && second !== undefined && nameIn(next.head, second) !== undefined)
  if (name === undefined || !isRight) throw badRequest(`Send one file, as the field "${field}".`)
  return { name, bytes: file.bytes, ...(next && { second: next.bytes }) }
}

function partAt(form: Buffer, delimiter: string, start: number) {
  const headLength = form.subarray(start, start + MAX_HEAD_BYTES).indexOf('\r\n\r\n')
  if (headLength < 0) throw badRequest(BROKEN)
  const endOfHead = start + headLength
  const endOfBytes = form.indexOf(`\r\n${delimiter}`, endOfHead + 2)
  if (endOfBytes < 0) throw badRequest('The form ended too early')
  const end = endOfBytes + 2 + delimiter.length
  return {
    head: form.toString('utf8', start, endOfHead),
    bytes: form.subarray(endOfHead + 4, endOfBytes),
    end,
    isLast: form.toString('latin1', end, end + 2) === '--',
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data')
  return boundary
}

const DISPOSITION = /^content-disposition:\s*form-data(?=;)(.*)$/is
const PARAMETER = /;\s*([\w*]+)=(?:"((?:\\"|[^"])*)"|([^\s;"]*))/g

function nameIn(head: string, field: string): string | undefined {
  const disposition = head.split('\r\n').flatMap((line) => DISPOSITION.exec(line)?.[1] ?? [])[0]
  const given = new Map(
    [...(disposition ?? '').matchAll(PARAMETER)].map(([, key = '', quoted, plain]) => [key.toLowerCase(), quoted ?? plain ?? '']),
  )
  if (given.get('name') !== field) return undefined
  const extended = /^utf-8'[^']*'(.*)$/i.exec(given.get('filename*') ?? '')?.[1]
  return extended === undefined ? unescaped(given.get('filename')) : percentDecoded(extended)
}

/** Browsers percent-encode these three; other clients escape quotes. */
const unescaped = (name: string | undefined) =>
  name?.replaceAll('\\"', '"').replace(/%(22|0d|0a)/gi, (written) => decodeURIComponent(written))

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw badRequest(BROKEN)
  }
}
