import { deflateSync, inflateSync } from 'node:zlib'

const BYTES_PER_PIXEL = 4
const SIGNATURE = 8

/** Bun.Image cannot crop. `png` is Bun's own: 8 bits, not interlaced. */
export async function cropToSquare(png: Buffer, width: number, height: number, side: number): Promise<Buffer> {
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

/** Yields to the event loop after so many: some milliseconds. */
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
