import { deflateSync } from 'node:zlib'

/** Pictures made here, honest ones and others. */

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(Bun.hash.crc32(named), 4)
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)])
}

type Colour = readonly [number, number, number]
export const RED: Colour = [255, 0, 0]
export const BLUE: Colour = [0, 0, 255]

/** A PNG; `at` tells the colour of each pixel, `more` are chunks before them, and `claims` a size that it has not. */
export function png(
  [width, height]: [number, number],
  at: (x: number, y: number) => Colour,
  more: [type: string, data: Uint8Array][] = [],
  claims: [number, number] = [width, height],
): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(claims[0], 0)
  head.writeUInt32BE(claims[1], 4)
  head.set([8, 2], 8)
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => at(x, y)).flat()]),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...more.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk that is small in the file and 200 MB unpacked. */
export const packed = (type: string, name: string): [string, Uint8Array] => [
  type,
  Buffer.concat([Buffer.from(`${name}\0\0`, 'latin1'), deflateSync(Buffer.alloc(200_000_000))]),
]

export const jpeg = async (picture: Buffer) => Buffer.from(await new Bun.Image(picture).jpeg({ quality: 95 }).bytes())
export const webp = async (picture: Buffer) => Buffer.from(await new Bun.Image(picture).webp({ lossless: true }).bytes())

/** A JPEG that says how the camera was held (6: turned by a quarter), where it was, and who by. */
export function withExif(picture: Buffer, orientation: number, secret: string): Buffer<ArrayBuffer> {
  const tiff = Buffer.from('49492a0008000000010012010300010000000000000000000000', 'hex')
  tiff[18] = orientation
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(secret)])
  const head = Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 255])
  return Buffer.concat([picture.subarray(0, 2), head, body, picture.subarray(2)])
}

const GIF_FRAME = '2c00000000010001000002024401 00'.replaceAll(' ', '')

/** A GIF of so many pictures, of one pixel each. */
export const gif = (frames: number): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from('01000100800000ff0000ffffff', 'hex'),
    Buffer.from(`21f90400000000 00${GIF_FRAME}`.replaceAll(' ', '').repeat(frames), 'hex'),
    Buffer.from(';', 'latin1'),
  ])

/** A WebP that says of itself that it moves. */
export const movingWebp = Buffer.concat([
  Buffer.from('RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\0\0\0\0\0\0', 'latin1'),
  Buffer.alloc(64),
])
