import { deflateSync, inflateSync } from 'node:zlib'
import { fileTypeFromBuffer } from 'file-type'
import { badRequest, Refusal } from '../../server/errors'
import { AVATAR_NO_IMAGE } from '../schema'

const SIDE = 256
const MAX_PIXELS = 25_000_000
const MAX_ASPECT_RATIO = 8

const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

/** One at a time: decoding a 5 MB picture can take 200 MB. */
let last: Promise<unknown> = Promise.resolve()

/** The middle square, 256×256, as WebP without metadata. Throws UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST. */
export function avatarFrom(bytes: Buffer): Promise<Uint8Array> {
  const avatar = last.then(() => convert(bytes))
  last = avatar.catch(() => {})
  return avatar
}

async function convert(bytes: Buffer): Promise<Uint8Array> {
  await assertStill(bytes)
  try {
    const { width, height } = await read(bytes).metadata()
    if (Math.max(width, height) > MAX_ASPECT_RATIO * Math.min(width, height)) throw tooLong()
    const scale = SIDE / Math.min(width, height)
    const wide = Math.max(SIDE, Math.round(width * scale))
    const high = Math.max(SIDE, Math.round(height * scale))
    const png = await read(bytes).resize(wide, high).png({ compressionLevel: 1 }).buffer()
    return await read(await cropToSquare(png, wide, high, SIDE))
      .webp({ quality: 85 })
      .bytes()
  } catch (error) {
    throw refusalOf(error)
  }
}

const read = (bytes: Buffer) => new Bun.Image(bytes, { maxPixels: MAX_PIXELS })

/** The decoder would silently show the first frame, or grey. */
async function assertStill(bytes: Buffer) {
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? ''
  if (type === 'image/apng' || (type === 'image/webp' && isAnimatedWebp(bytes)) || (type === 'image/gif' && framesOf(bytes) > 1))
    throw badRequest('Animated images are not supported. Please select a still image.')
  if (!ACCEPTED.has(type)) throw noImage()
  if ((type === 'image/jpeg' && !hasEnd(bytes)) || (type === 'image/gif' && framesOf(bytes) === 0)) throw damaged()
}

const noImage = () => new Refusal('UNSUPPORTED_MEDIA_TYPE', AVATAR_NO_IMAGE)
const damaged = () => badRequest('The image is damaged. Please select another one.')
const tooLong = () => badRequest('The image is too long and thin. Please select another one.')
const tooManyPixels = () => badRequest('The image has more than 25 megapixels. Please select a smaller one.')

function refusalOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return tooManyPixels()
  if (code === 'ERR_IMAGE_DECODE_FAILED') return damaged()
  if (code === 'ERR_IMAGE_UNKNOWN_FORMAT' || code === 'ERR_IMAGE_FORMAT_UNSUPPORTED') return noImage()
  return error
}

const isAnimatedWebp = (bytes: Buffer) => bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0

function hasEnd(bytes: Buffer): boolean {
  let at = 2
  while (bytes[at] === 0xff && bytes[at + 1] !== 0xda && at + 4 <= bytes.length) at += 2 + bytes.readUInt16BE(at + 2)
  return bytes.indexOf(Buffer.from([0xff, 0xd9]), at) >= 0
}

/** Frames of a GIF; 0 if it is truncated. */
function framesOf(bytes: Buffer): number {
  const tableAfter = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  let at = 13 + tableAfter(bytes[10])
  let frames = 0
  for (;;) {
    const block = bytes[at]
    if (block === 0x3b) return frames
    if (block === 0x2c) {
      frames += 1
      at += 11 + tableAfter(bytes[at + 9])
    } else if (block === 0x21) at += 2
    else return 0
    // Sub-blocks follow, each after its length, up to an empty one.
    while (bytes[at]) at += 1 + (bytes[at] ?? 0)
    at += 1
  }
}

const BYTES_PER_PIXEL = 4
const SIGNATURE = 8

/** Bun.Image cannot crop. `png` is Bun's own: 8 bits, not interlaced. */
async function cropToSquare(png: Buffer, width: number, height: number, side: number): Promise<Buffer> {
  const rows = await pixelsOf(png, width, height)
  const left = (width - side) >> 1
  const top = (height - side) >> 1
  const lines = Array.from({ length: side }, (_, y) => {
    const from = ((top + y) * width + left) * BYTES_PER_PIXEL
    return Buffer.concat([Buffer.of(0), rows.subarray(from, from + side * BYTES_PER_PIXEL)])
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 6], 8)
  const pixels = deflateSync(Buffer.concat(lines), { level: 1 })
  return Buffer.concat([png.subarray(0, SIGNATURE), chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(Bun.hash.crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Bytes between yields to the event loop. */
const BYTES_PER_TURN = 100_000

export async function pixelsOf(png: Buffer, width: number, height: number): Promise<Buffer> {
  const filtered = inflateSync(Buffer.concat(chunksIn(png, 'IDAT')))
  const stride = width * BYTES_PER_PIXEL
  const pixels = Buffer.alloc(stride * height)
  const rowsPerTurn = Math.ceil(BYTES_PER_TURN / stride)
  for (let y = 0; y < height; y++) {
    if (y % rowsPerTurn === 0) await Bun.sleep(0)
    const filter = filtered[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < BYTES_PER_PIXEL ? 0 : (pixels[at - BYTES_PER_PIXEL] ?? 0)
      const up = pixels[at - stride] ?? 0
      const upLeft = x < BYTES_PER_PIXEL ? 0 : (pixels[at - stride - BYTES_PER_PIXEL] ?? 0)
      pixels[at] = (filtered[at + y + 1] ?? 0) + predict(filter, left, up, upLeft)
    }
  }
  return pixels
}

function predict(filter: number | undefined, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? paeth(left, up, upLeft) : 0
}

function paeth(left: number, up: number, upLeft: number): number {
  const [toLeft, toUp, toUpLeft] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

function chunksIn(png: Buffer, type: string): Buffer[] {
  const parts: Buffer[] = []
  for (let at = SIGNATURE; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === type) parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  return parts
}
