import { describe, expect, test } from 'bun:test'
import { avatarFrom, pixelsOf } from '../../src/users/server/avatarImage'
import { zip } from '../attachments/samples'
import { longestHold } from '../support/cpu'
import { PNG } from '../support/files'
import { BLUE, gif, jpeg, movingWebp, packed, png, RED, webp, withExif } from './pictures'

const SECRET = '51.5007 N, 0.1246 W'

/** The colours of an avatar at some places, as the decoder reads them back. */
async function colours(avatar: Uint8Array, ...places: [number, number][]) {
  const bytes = await new Bun.Image(avatar).resize(4, 4, { filter: 'box' }).png({ compressionLevel: 1 }).buffer()
  const pixels = await pixelsOf(bytes, 4, 4)
  return places.map(([x, y]) => ((pixels[(y * 4 + x) * 4] ?? 0) > 128 ? 'red' : 'blue'))
}

const halves = (width: number, height: number) => png([width, height], (x) => (x < width / 2 ? RED : BLUE))

describe('an avatar', () => {
  const square = halves(40, 40)
  for (const [what, make] of [
    ['PNG', async () => square],
    ['JPEG', () => jpeg(square)],
    ['WebP', () => webp(square)],
    ['a still GIF', async () => gif(1)],
    ['PNG of one pixel', async () => PNG],
  ] as const)
    test(`is a WebP of 256×256, of ${what}`, async () => {
      const avatar = await avatarFrom(Buffer.from(await make()))
      expect(await new Bun.Image(avatar).metadata()).toEqual({ width: 256, height: 256, format: 'webp' })
    })

  test('is the middle of a wide and of a high picture', async () => {
    const stripes = png([120, 40], (x) => (x < 40 || x >= 80 ? BLUE : RED))
    expect(await colours(await avatarFrom(stripes), [0, 0], [3, 3])).toEqual(['red', 'red'])
    const high = png([40, 120], (_, y) => (y < 40 || y >= 80 ? BLUE : RED))
    expect(await colours(await avatarFrom(high), [0, 0], [3, 3])).toEqual(['red', 'red'])
    expect(await colours(await avatarFrom(halves(300, 280)), [0, 0], [3, 0])).toEqual(['red', 'blue'])
  })

  test('is turned as the camera was held, and holds nothing that was said beside the pixels', async () => {
    const turned = withExif(await jpeg(halves(80, 40)), 6, SECRET)
    expect(turned.toString('latin1')).toContain(SECRET)
    const avatar = await avatarFrom(turned)
    expect(await colours(avatar, [1, 0], [1, 3])).toEqual(['red', 'blue'])
    expect(Buffer.from(avatar).toString('latin1')).not.toContain(SECRET)
    expect(Buffer.from(avatar).toString('latin1')).not.toMatch(/EXIF|XMP |ICCP/)
  })

  test('has nothing of what was hidden behind the picture', async () => {
    const hidden = Buffer.concat([halves(40, 40), zip({ 'secret.html': `<script>${SECRET}</script>` })])
    const avatar = Buffer.from(await avatarFrom(hidden))
    expect(avatar.toString('latin1')).not.toMatch(/script|secret|PK/)
  })
})

describe('no avatar is made of', () => {
  const large = png([2, 2], () => RED, [], [60_000, 60_000])
  const whole = png([60, 60], (x, y) => [x * 4, y * 4, (x * y) % 256])
  const refused: [string, () => Buffer | Promise<Buffer>, string, RegExp][] = [
    ['a text', () => Buffer.from('This is no picture'), 'UNSUPPORTED_MEDIA_TYPE', /select an image file/],
    ['nothing', () => Buffer.alloc(0), 'UNSUPPORTED_MEDIA_TYPE', /select an image file/],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'UNSUPPORTED_MEDIA_TYPE', /image file/],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'), 'UNSUPPORTED_MEDIA_TYPE', /image file/],
    ['a page that begins as a GIF', () => Buffer.from('GIF89a<script>alert(1)</script>'), 'BAD_REQUEST', /damaged/],
    ['60,000 × 60,000 pixels', () => large, 'BAD_REQUEST', /25 megapixels/],
    ['a profile of 200 MB', () => png([2, 2], () => RED, [packed('iCCP', 'x')]), 'BAD_REQUEST', /damaged/],
    ['a remark of 200 MB', () => png([2, 2], () => RED, [packed('zTXt', 'Comment')]), 'BAD_REQUEST', /damaged/],
    ['a line', () => png([900, 1], () => RED), 'BAD_REQUEST', /too long and thin/],
    ['a moving GIF', () => gif(2), 'BAD_REQUEST', /Animated/],
    ['a moving WebP', () => movingWebp, 'BAD_REQUEST', /Animated/],
    ['a moving PNG', () => png([2, 2], () => RED, [['acTL', Buffer.alloc(8)]]), 'BAD_REQUEST', /Animated/],
    ['half a PNG', () => whole.subarray(0, whole.length / 2), 'BAD_REQUEST', /damaged/],
    ['half a JPEG', async () => (await jpeg(whole)).subarray(0, 900), 'BAD_REQUEST', /damaged/],
    ['half a WebP', async () => (await webp(whole)).subarray(0, 100), 'BAD_REQUEST', /damaged/],
    ['half a GIF', () => gif(1).subarray(0, 28), 'BAD_REQUEST', /damaged/],
    ['the beginning of a PNG', () => whole.subarray(0, 20), 'BAD_REQUEST', /damaged/],
  ]
  for (const [what, make, code, message] of refused)
    test(what, async () => {
      await expect(avatarFrom(Buffer.from(await make()))).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    })

  test('bombs at the cost of much memory, or of others having to wait', async () => {
    const bomb = Buffer.from(png([2, 2], () => RED, [packed('zTXt', 'Comment')]))
    const before = process.memoryUsage.rss()
    const longest = await longestHold(() => Promise.allSettled(Array.from({ length: 8 }, () => avatarFrom(bomb))))
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 2 ** 20)
    expect(longest).toBeLessThan(500)
  })
})
