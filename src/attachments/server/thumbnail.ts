import { isBrowserImage, THUMBNAIL_MAX_BYTES, THUMBNAIL_MAX_SIDE } from '../schema'

/** What a sender made of a picture, unless it is anything but a small WebP. */
export async function thumbnailFrom(bytes: Buffer | undefined, type: string): Promise<Buffer | undefined> {
  if (!bytes || bytes.length > THUMBNAIL_MAX_BYTES || !isBrowserImage(type) || !isWholeWebp(bytes)) return undefined
  const { width, height } = await new Bun.Image(bytes).metadata().catch(() => ({ width: 0, height: 0 }))
  const isSmall = width > 0 && height > 0 && Math.max(width, height) <= THUMBNAIL_MAX_SIDE
  return isSmall ? bytes : undefined
}

const isWholeWebp = (bytes: Buffer) =>
  wordAt(bytes, 0) === 'RIFF' && wordAt(bytes, 8) === 'WEBP' && bytes.readUInt32LE(4) + 8 === bytes.length

const wordAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)
