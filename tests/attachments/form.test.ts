import { describe, expect, test } from 'bun:test'
import { TRPCError } from '@trpc/server'
import { fileIn } from '../../src/server/form'
import { processorTime } from '../support/cpu'

const TYPE = 'multipart/form-data; boundary=XBX'
const part = (disposition: string, content = 'abc', more = '') =>
  `--XBX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
const END = '--XBX--\r\n'
const read = (form: string | Buffer, type = TYPE) => fileIn(Buffer.from(form), type, 'file')
const nameOf = (given: string) => read(part(`name="file"; ${given}`) + END).name

describe('a form', () => {
  test('has one file, with its name and its bytes', () => {
    const { name, bytes } = read(part('name="file"; filename="a.txt"', 'a\r\n--XB\r\n--', 'Content-Type: text/html\r\n') + END)
    expect([name, bytes.toString()]).toEqual(['a.txt', 'a\r\n--XB\r\n--'])
  })

  test('may hold an empty file', () => {
    expect(read(part('name="file"; filename="a.txt"', '') + END).bytes).toHaveLength(0)
  })

  const FILE = part('name="file"; filename="a.txt"', 'first')
  const SECOND = part('name="second"; filename="blob"', 'next')
  const readTwo = (form: string) => fileIn(Buffer.from(form), TYPE, 'file', 'second')

  test('may have a second file, where it is asked for', () => {
    const { name, bytes, second } = readTwo(FILE + SECOND + END)
    expect([name, bytes.toString(), second?.toString()]).toEqual(['a.txt', 'first', 'next'])
    expect(readTwo(FILE + END).second).toBeUndefined()
    const third = FILE + SECOND + part('name="third"; filename="c.txt"') + END
    for (const form of [SECOND + END, SECOND + FILE + END, FILE + FILE + END, third, FILE + SECOND, `${FILE}--XBX\r\n${END}`])
      expect(() => readTwo(form)).toThrow(TRPCError)
    expect(() => read(FILE + SECOND + END)).toThrow(TRPCError)
  })

  const names: [string, string][] = [
    ['filename="日本語 の 名前.png"', '日本語 の 名前.png'],
    ['filename="a%22b%22.txt"', 'a"b".txt'],
    ['filename="a\\"b.txt"', 'a"b.txt'],
    ['filename="a;b=\'c\'.txt"', "a;b='c'.txt"],
    ['filename="100%.txt"', '100%.txt'],
    ['filename="  a .txt "', '  a .txt '],
    ['filename=a.txt', 'a.txt'],
    ['filename="; name=\\"other\\""', '; name="other"'],
    ["filename*=utf-8''%E6%97%A5.txt", '日.txt'],
    ['filename="a.txt"; filename*=UTF-8\'en\'b%20c.txt', 'b c.txt'],
    ['filename="a\0b.txt"', 'a\0b.txt'],
    ['filename="a%0d%0Ab.txt"', 'a\r\nb.txt'],
    ['filename="a\u202ebgnp.txt"', 'a\u202ebgnp.txt'],
    ['filename="../../etc/passwd"', '../../etc/passwd'],
  ]
  for (const [given, name] of names)
    test(`${JSON.stringify(given)} is the name ${JSON.stringify(name)}`, () => {
      expect(nameOf(given)).toBe(name)
    })

  test('tells its fields in any order and any case', () => {
    const form =
      '--XBX\r\ncontent-type: text/plain\r\nCONTENT-DISPOSITION: form-data; FileName="a.txt"; NAME=file\r\n\r\nabc\r\n--XBX--'
    expect(read(form).name).toBe('a.txt')
    expect(read(form, 'Multipart/Form-Data; charset=utf-8; boundary="XBX"').name).toBe('a.txt')
  })

  const broken: [string, string | Buffer, string?][] = [
    ['nothing', ''],
    ['something else', 'hello'],
    ['only its end', END],
    ['no end', part('name="file"; filename="a.txt"')],
    ['half an end', `${part('name="file"; filename="a.txt"')}--XB`],
    ['no content', '--XBX\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'],
    ['no head', '--XBX\r\n\r\nabc\r\n--XBX--'],
    ['a head without an end', `--XBX\r\nX: ${'x'.repeat(100_000)}`],
    ['lines that end as they should not', '--XBX\nContent-Disposition: form-data; name="file"; filename="a"\n\nabc\n--XBX--\n'],
    ['another field', part('name="files"; filename="a.txt"') + END],
    ['no field', part('filename="a.txt"') + END],
    ['a field that is no file', part('name="file"') + END],
    ['two files', part('name="file"; filename="a.txt"') + part('name="file"; filename="b.txt"') + END],
    ['a field before it', part('name="title"', 'x') + part('name="file"; filename="b.txt"') + END],
    ['a field after it', part('name="file"; filename="b.txt"') + part('name="title"', 'x') + END],
    ['a name that is not written as it says', part('name="file"; filename*=UTF-8\'\'%zz') + END],
    ['another boundary', part('name="file"; filename="a.txt"') + END, 'multipart/form-data; boundary=XBY'],
    ['no boundary', part('name="file"; filename="a.txt"') + END, 'multipart/form-data'],
    ['an empty boundary', part('name="file"; filename="a.txt"') + END, 'multipart/form-data; boundary='],
    ['JSON', '{}', 'application/json'],
    ['fields in a line', 'file=a', 'application/x-www-form-urlencoded'],
    ['no type', part('name="file"; filename="a.txt"') + END, ''],
  ]
  for (const [what, form, type] of broken)
    test(`with ${what} is refused`, () => {
      expect(() => read(form, type)).toThrow(TRPCError)
    })

  test('with a head that is made to take long takes no long time', async () => {
    const hostile = `--XBX\r\nContent-Disposition: form-data${';a="'.repeat(1_000)}\r\n\r\n`
    expect(await processorTime(() => expect(() => read(hostile)).toThrow(TRPCError))).toBeLessThan(200)
  })
})
