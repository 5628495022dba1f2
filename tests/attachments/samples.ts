/** Small files of every accepted kind, made here; a browser would show the pictures only in part. */

const hex = (text: string, length = 64) => Buffer.concat([Buffer.from(text.replaceAll(' ', ''), 'hex'), Buffer.alloc(length)])

/** A zip of files that are stored as they are. */
export function zip(files: Record<string, string>): Buffer<ArrayBuffer> {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(Bun.hash.crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    bodies.push(Buffer.from('PK\x03\x04'), facts, path, bytes)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    entries.push(Buffer.from('PK\x01\x02\x14\x00'), facts, place, path)
    offset += 30 + path.length + bytes.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06'), end])
}

const contentTypes = (part: string, type: string) => ({
  '[Content_Types].xml': `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
})
const WORD = contentTypes('word/document.xml', 'wordprocessingml.document')
const EXCEL = contentTypes('xl/workbook.xml', 'spreadsheetml.sheet')

/** An OLE file with a stream of that name in its directory. */
export const ole = (stream: string) =>
  Buffer.concat([hex('d0cf11e0a1b11ae1', 504), Buffer.from(`${stream}\0`, 'utf16le'), Buffer.alloc(512)])

const bitmap = hex('42 4d 9e000000 00000000 36000000 28000000')

export const SAMPLES: [name: string, type: string, bytes: Buffer<ArrayBuffer>][] = [
  ['a.png', 'image/png', hex('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08060000001f15c489 00000000 49444154')],
  ['a.jpg', 'image/jpeg', hex('ffd8ffe000104a46494600010100000100010000')],
  ['a.JPEG', 'image/jpeg', hex('ffd8ffe1')],
  ['a.gif', 'image/gif', hex('474946383961 0100 0100 00 00 00')],
  ['a.webp', 'image/webp', hex('52494646 24000000 57454250 56503820')],
  ['a.avif', 'image/avif', hex('0000001c 66747970 61766966 00000000 6d696631 61766966 00000000')],
  ['a.heic', 'image/heic', hex('0000001c 66747970 68656963 00000000 6d696631 68656963 00000000')],
  ['a.bmp', 'image/bmp', bitmap],
  ['a.tiff', 'image/tiff', hex('49492a00 08000000 0000')],
  ['a.ico', 'image/x-icon', hex('00000100 0100 1010')],
  ['a.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a.pdf', 'application/pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj')],
  [
    'a.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    zip({ ...WORD, 'word/document.xml': '<a/>' }),
  ],
  // LibreOffice puts the list of types last.
  [
    'b.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    zip({ '_rels/.rels': '<a/>', 'word/document.xml': '<a/>', ...WORD }),
  ],
  ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', zip({ ...EXCEL, 'xl/workbook.xml': '<a/>' })],
  ['a.doc', 'application/msword', ole('WordDocument')],
  ['a.xls', 'application/vnd.ms-excel', ole('Workbook')],
  ['b.xls', 'application/vnd.ms-excel', ole('Book')],
  ['a.txt', 'text/plain', Buffer.from('Grüße, 日本語\n')],
  ['ansi.txt', 'text/plain', Buffer.from('Gr\xfc\xdfe', 'latin1')],
  ['unicode.txt', 'text/plain', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('Grüße', 'utf16le')])],
  ['BMW.txt', 'text/plain', Buffer.from('BM is where a bitmap begins, and MZ where a program does')],
  [
    'two.dots.in.it.png',
    'image/png',
    hex('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08060000001f15c489 00000000 49444154'),
  ],
]
