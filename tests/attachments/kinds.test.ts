import { describe, expect, test } from 'bun:test'
import { constants, deflateRawSync } from 'node:zlib'
import { kindByName } from '../../src/attachments/schema'
import { detectMimeType } from '../../src/attachments/server/fileContent'
import { readConfig } from '../../src/config'
import { processorTime } from '../support/cpu'
import { ole, SAMPLES, zip } from './samples'

const { attachments } = readConfig({})
const bytesOf = (name: string) => SAMPLES.find(([sample]) => sample === name)?.[2] ?? Buffer.alloc(0)
const text = (given: string) => Buffer.from(given)

describe('the type of a file', () => {
  for (const [name, type, bytes] of SAMPLES)
    test(`${name} is ${type}, by what is in it`, async () => {
      expect(await detectMimeType(bytes, name, attachments)).toBe(type)
    })

  test('a picture may be of another kind than its name says, and is served as what it is', async () => {
    expect(await detectMimeType(bytesOf('a.jpg'), 'a.png', attachments)).toBe('image/jpeg')
  })

  test('nothing is what only its name says', async () => {
    const wrong: string[] = []
    for (const [name, , bytes] of SAMPLES)
      for (const [other] of SAMPLES) {
        // Of text nobody can say what it is not, where it has no NUL.
        if (
          kindByName(name, attachments) === kindByName(other, attachments) ||
          (kindByName(other, attachments) === 'txt' && !bytes.includes(0))
        )
          continue
        if (await detectMimeType(bytes, other, attachments)) wrong.push(`${name} as ${other}`)
      }
    expect(wrong).toEqual([])
  })

  const refused: [string, string, Buffer][] = [
    ['a program', 'a.exe', text('MZ\0\0')],
    ['a program by another name', 'a.txt', text('MZ\x90\0\x03\0')],
    ['a page', 'a.html', text('<html><script>alert(1)</script></html>')],
    ['a page as a picture', 'a.png', text('<html><script>alert(1)</script></html>')],
    ['a page as an svg', 'a.svg', text('<html><svg/></html>')],
    ['an svg after a megabyte of others', 'a.svg', text(`${'<??>'.repeat(2 ** 18)}<svg/>`)],
    ['an svg with a NUL far from its root', 'a.svg', text(`<svg>${' '.repeat(2 ** 20)}\0</svg>`)],
    ['an svg within a comment', 'a.svg', text('<!-- <svg> --><html/>')],
    ['a script', 'a.js', text('alert(1)')],
    ['no ending', 'README', text('Hello')],
    ['a dot alone', '.', text('Hello')],
    ['an ending that is no kind', 'a.txt.zip', zip({ 'a.txt': 'Hello' })],
    ['a zip as a document', 'a.docx', zip({ 'a.txt': 'Hello' })],
    ['slides', 'a.docx', zip({ '[Content_Types].xml': 'presentationml.presentation', 'ppt/presentation.xml': '' })],
    ['an installer', 'a.doc', ole('MsiTables')],
    ['half a signature', 'a.png', Buffer.from('89504e47', 'hex')],
    ['a text that begins as a picture does', 'a.gif', text('GIF is a format of pictures')],
    ['a text that begins as a bitmap does', 'a.bmp', text('BMW makes cars, and motorcycles, too')],
    ['a text with a NUL', 'a.txt', text('a\0b')],
    ['a text with a NUL in two bytes', 'a.txt', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('a\0b', 'utf16le')])],
    ['nothing', 'a.png', Buffer.alloc(0)],
    ['names of every object', 'a.constructor', text('Hello')],
  ]
  for (const [what, name, bytes] of refused)
    test(`${what} (${name}) is not accepted`, async () => {
      expect(await detectMimeType(bytes, name, attachments)).toBeUndefined()
    })

  const svgs = [
    '\ufeff<svg>',
    '<?xml version="1.0"?>\n<svg >',
    '<!-- made by hand -->\n<!-- twice --><svg/>',
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd"><svg>',
    '<!DOCTYPE svg [ <!ENTITY ns "http://www.w3.org/2000/svg"> ]>\n<svg>',
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
  ]
  for (const svg of svgs)
    test(`${JSON.stringify(svg)} is an svg`, async () => {
      expect(await detectMimeType(text(svg), 'a.svg', attachments)).toBe('image/svg+xml')
    })

  const LARGEST = 5 * 2 ** 20
  const hostile: [string, string, Buffer][] = [
    ['a comment without an end', 'a.svg', text('<!--'.padEnd(LARGEST, '-'))],
    ['a doctype without an end', 'a.svg', text('<!DOCTYPE'.padEnd(LARGEST, 'a'))],
    ['brackets without an end', 'a.svg', text('<!DOCTYPE ['.padEnd(LARGEST, '] ['))],
    ['many comments', 'a.svg', text('<!---->'.repeat(LARGEST / 7))],
    ['space alone', 'a.svg', Buffer.alloc(LARGEST, ' ')],
    ['a zip of a hundred thousand files', 'a.docx', Buffer.concat(Array(100_000).fill(zip({ a: '' }).subarray(0, 31)))],
    ['a zip that unpacks to four gigabytes', 'a.docx', bomb()],
    ['a picture of chunks alone', 'a.png', Buffer.concat([bytesOf('a.png').subarray(0, 33), Buffer.alloc(LARGEST)])],
    ['a long ID3', 'a.png', Buffer.alloc(LARGEST, Buffer.from('49443304000000000000', 'hex'))],
  ]
  for (const [what, name, bytes] of hostile)
    test(`${what} takes no long time`, async () => {
      expect(await processorTime(() => detectMimeType(bytes, name, attachments))).toBeLessThan(2_000)
    })
})

/** The list of its parts is zeros alone, and it does not tell how many. */
function bomb(): Buffer {
  const zeros = deflateRawSync(Buffer.alloc(2 ** 20), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const packed = Buffer.concat([...Array<Buffer>(4000).fill(zeros), deflateRawSync(Buffer.alloc(0))])
  const name = '[Content_Types].xml'
  const head = Buffer.from(zip({ [name]: '' }).subarray(0, 30 + name.length))
  const [FLAGS, METHOD] = [6, 8]
  head.writeUInt16LE(0b1000, FLAGS)
  head.writeUInt16LE(8, METHOD)
  return Buffer.concat([head, packed])
}
