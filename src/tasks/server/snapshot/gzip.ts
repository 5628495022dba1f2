import { lazy } from '../../../schema'

/** Loaded with the first board, as they take a tenth of a start. */
const zlib = lazy(() => {
  const { constants, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } = process.getBuiltinModule('node:zlib')
  const { promisify } = process.getBuiltinModule('node:util')
  const pack = { level: 5, finishFlush: constants.Z_FULL_FLUSH }
  const unpack = { finishFlush: constants.Z_SYNC_FLUSH }
  const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]
  return {
    deflateHere: (bytes: Buffer) => deflateRawSync(bytes, pack),
    inflateHere: (bytes: Uint8Array) => inflateRawSync(bytes, unpack),
    /** In other threads. */
    deflate: (bytes: Buffer) => deflate(bytes, pack),
    inflate: (bytes: Uint8Array) => inflate(bytes, unpack),
  }
})

/** Up to here the way to another thread and back takes longer. */
const SMALL_BYTES = 2 ** 16

type Bytes = Uint8Array<ArrayBuffer>

/** A compressed part of a text, which may stand beside any others in one gzip file; `length` is its own in bytes. */
export type Segment = { deflated: Bytes; crc: number; length: number; shift: number }

export async function toSegment(text: string): Promise<Segment> {
  const bytes = Buffer.from(text)
  return bytes.byteLength > SMALL_BYTES ? segmentOf(bytes, await zlib().deflate(bytes)) : smallSegment(text)
}

/** Up to here it takes longer to make a compressor ready than it saves. */
const STORED_BYTES = 2 ** 10

export function smallSegment(text: string): Segment {
  const bytes = Buffer.from(text)
  return segmentOf(bytes, bytes.byteLength > STORED_BYTES ? zlib().deflateHere(bytes) : stored(bytes))
}

const STORED_HEAD_BYTES = 5

/** Uncompressed: a head with the length and its complement (RFC 1951, 3.2.4). */
function stored(bytes: Buffer): Buffer {
  const block = Buffer.alloc(STORED_HEAD_BYTES + bytes.byteLength)
  block.writeUInt16LE(bytes.byteLength, 1)
  block.writeUInt16LE(0xffff - bytes.byteLength, 3)
  bytes.copy(block, STORED_HEAD_BYTES)
  return block
}

function segmentOf(bytes: Buffer, deflated: Buffer): Segment {
  const length = bytes.byteLength
  return { deflated: new Uint8Array(deflated), crc: Bun.hash.crc32(bytes), length, shift: shiftBy(length) }
}

export const textOf = async ({ deflated, length }: Segment): Promise<string> =>
  (length > SMALL_BYTES ? await zlib().inflate(deflated) : zlib().inflateHere(deflated)).toString()

const HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)
const LAST_BLOCK = [3, 0]
const NONE = new Uint8Array()

/** Several that follow each other, as one. */
export type Joined = Segment & { of: Segment[] }

export function join(of: Segment[]): Joined {
  const deflated = new Uint8Array(of.reduce((sum, segment) => sum + segment.deflated.byteLength, 0))
  let at = 0
  for (const segment of of) {
    deflated.set(segment.deflated, at)
    at += segment.deflated.byteLength
  }
  const sums = sumsOf(of)
  return { deflated, ...sums, shift: shiftBy(sums.length), of }
}

/** Of the whole text. */
function sumsOf(segments: Segment[]): Pick<Segment, 'crc' | 'length'> {
  let [crc, length] = [0, 0]
  for (const segment of segments) {
    crc = crcOfBoth(crc, segment)
    length += segment.length
  }
  return { crc, length }
}

/** Sending takes longer with each; joining, with each byte. */
const SEGMENTS_A_PART = 32

/** Joins so many to one; of `before`, those are kept that consist of the same. */
export function joinMany(segments: Segment[], before: Joined[] = []): Joined[] {
  const count = Math.ceil(segments.length / SEGMENTS_A_PART)
  return Array.from({ length: count }, (_, nth) => {
    const of = segments.slice(nth * SEGMENTS_A_PART, (nth + 1) * SEGMENTS_A_PART)
    const kept = before[nth]
    const isSame = kept?.of.length === of.length && of.every((segment, index) => segment === kept.of[index])
    return kept && isSame ? kept : join(of)
  })
}

/** The parts of one file, of which only the first and the last are copied; `crc` and `length` are those of the whole text (RFC 1952). */
export function gzipOf(segments: Segment[]): { parts: Bytes[]; crc: number; length: number } {
  const { crc, length } = sumsOf(segments)
  const end = Buffer.alloc(LAST_BLOCK.length + 8)
  end.set(LAST_BLOCK)
  end.writeUInt32LE(crc, LAST_BLOCK.length)
  end.writeUInt32LE(length % 2 ** 32, LAST_BLOCK.length + 4)
  const [first = NONE, ...others] = segments.map(({ deflated }) => deflated)
  const last = others.pop() ?? NONE
  return { parts: [Buffer.concat([HEAD, first]), ...others, Buffer.concat([last, end])], crc, length }
}

const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000

/** Of polynomials over bits, as zlib's crc32_combine does it. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = ONE, shifted = b; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return product >>> 0
}

/** x to the power of 1, 2, 4, 8 and so on. */
const POWERS = [0x40000000]
for (let n = 1; n < 32; n++) POWERS.push(multiply(POWERS[n - 1] ?? 0, POWERS[n - 1] ?? 0))

const BITS_A_BYTE = 3

/** What moves a checksum beyond so many bytes. */
function shiftBy(bytes: number): number {
  let shift = ONE
  for (let rest = bytes, n = BITS_A_BYTE; rest > 0; rest = Math.floor(rest / 2), n++)
    if (rest % 2 === 1) shift = multiply(POWERS[n % 32] ?? 0, shift)
  return shift
}

const crcOfBoth = (before: number, { crc, shift }: Segment) => (multiply(shift, before) ^ crc) >>> 0
