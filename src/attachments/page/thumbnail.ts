import { THUMBNAIL_MAX_BYTES, THUMBNAIL_MAX_SIDE, THUMBNAIL_TYPE } from '../schema'

const DRAWN = /^image\/(png|jpeg|webp|gif)$/

/** A small picture of a picture; null of anything else, and where the browser cannot make one. */
export async function thumbnailOf(file: File): Promise<Blob | null> {
  if (!DRAWN.test(file.type)) return null
  try {
    const thumbnail = await drawSmall(file)
    return thumbnail.type === THUMBNAIL_TYPE && thumbnail.size <= THUMBNAIL_MAX_BYTES ? thumbnail : null
  } catch {
    return null
  }
}

async function drawSmall(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, THUMBNAIL_MAX_SIDE / Math.max(picture.width, picture.height))
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1)
  const context = canvas.getContext('2d')
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.convertToBlob({ type: THUMBNAIL_TYPE, quality: 0.8 })
}
