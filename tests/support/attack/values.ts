import type { z } from 'zod'
import type { random } from '../random'

export type Draw = ReturnType<typeof random>
type Schema = z.core.JSONSchema.BaseSchema
/** What is there, by the name of the field that asks for it. */
export type Known = Record<string, (string | number)[]>

/** Stands in JSON as it is written here. */
class Written {
  constructor(readonly text: string) {}
}
const written = (text: string) => new Written(text)

export const TEXTS = [
  'Dig',
  'Größe 📐 日本語',
  '**bold** [x](javascript:alert(1)) <b>b</b>',
  "'; drop table users; --",
  '%_\\',
  '<script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: to be taken for a template
  '${7*7}{{7*7}}<%= 7*7 %>',
  '=cmd|/c calc!A1',
  '\u202etxt.exe\u2066',
  '\u200b',
  ' \t\r\n ',
  'a@example.com',
  'x\r\nBcc: eve@example.com',
  '@ada @bob. @__proto__',
  '../../etc/passwd',
  '00',
  '1e3',
  'null',
  'constructor',
  '-1',
  'a\u0301'.repeat(30),
]
const ZONES = ['UTC', 'Asia/Kathmandu', '+14:00', '-23:59', 'Etc/GMT+12', 'europe/paris', 'Not/AZone', '']
const MOMENTS = [
  '2026-11-22T08:30:00.000Z',
  '1970-01-02T00:00:00+23:59',
  '2999-12-30T23:59:59-23:59',
  '2024-02-29T00:00:00Z',
  '2026-03-29T02:30:00+01:00',
  '0000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
]
const DAYS = ['2026-11-22', '0001-01-01', '9999-12-31', '0000-12-31', '2026-02-29', '2024-02-29']
const CURSORS = [
  '1',
  '2147483647',
  '1700000000000-1',
  '99999999999999-9999999999',
  '2026-11-22-1700000000000-1',
  '9999-12-31-0-1',
]

const PLAIN = [null, true, false, 0, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), '', [], {}, [[]], [null], '🌱', ...TEXTS]
const ODD = [
  '1e999',
  '-0',
  '"a\\u0000b"',
  '"abc\\ud800"',
  '"\\udc00abc"',
  '"\\u202e"',
  '{"__proto__":{"isPro":true}}',
  '{"constructor":{"prototype":{"id":1}}}',
  '{"toString":1,"valueOf":2,"length":-1}',
  '{"then":1}',
  '[1,2',
  '{"a":',
  'undefined',
  'NaN',
  "'single'",
  '1,"taskId":1,"boardId":1,"userId":1',
  `"${'x'.repeat(30_000)}"`,
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
]
export const hostile = (draw: Draw): unknown => (draw.below(2) ? draw.oneOf(PLAIN) : written(draw.oneOf(ODD)))

const EXTRA = ['__proto__', 'constructor', 'prototype', 'toString', 'createdBy', 'isPro', 'id', 'viewer', 'userId', 'length', '']

/** A value that fits, but for what only the server knows; now and then at a bound, or one beyond it. */
function fitting(draw: Draw, schema: Schema, known: Known, name = ''): unknown {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return fitting(draw, asSchema(draw.oneOf(branches)), known, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return draw.oneOf(schema.enum)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([field]) => schema.required?.includes(field) || draw.below(2))
          .map(([field, one]) => [field, fitting(draw, asSchema(one), known, field)]),
      )
    case 'array':
      return Array.from({ length: draw.below(4) }, () => fitting(draw, itemsOf(schema), known, name))
    case 'boolean':
      return draw.below(2) === 1
    case 'null':
      return null
    case 'string':
      return textFor(draw, schema, known[name], name)
    default:
      return numberFor(draw, schema, known[name])
  }
}

const asSchema = (given: Schema | boolean): Schema => (typeof given === 'object' ? given : {})
const itemsOf = ({ items }: Schema): Schema => (Array.isArray(items) || items === undefined ? {} : asSchema(items))

function textFor(
  draw: Draw,
  { format, pattern, minLength = 0, maxLength = 300 }: Schema,
  known: Known[string] = [],
  name: string,
) {
  if (draw.below(12) === 0) return 'x'.repeat(Math.max(0, draw.oneOf([minLength - 1, minLength, maxLength, maxLength + 1])))
  if (known.length > 0) return String(draw.oneOf(known))
  if (format === 'date') return draw.oneOf(DAYS)
  if (format === 'date-time') return draw.oneOf(MOMENTS)
  if (name === 'timeZone') return draw.oneOf(ZONES)
  return draw.oneOf(pattern || name === 'cursor' ? CURSORS : TEXTS)
}

function numberFor(draw: Draw, { minimum = 0, exclusiveMinimum, maximum = 100 }: Schema, known: Known[string] = []) {
  const least = Number(exclusiveMinimum ?? minimum)
  if (draw.below(12) === 0) return draw.oneOf([least - 1, least, least + 1, maximum, maximum + 1])
  return known.length > 0 ? draw.oneOf(known) : 1 + draw.below(30)
}

export type Input = Record<string, unknown>

/** What would fit all schemas, most often spoilt here and there. */
export function inputFor(draw: Draw, schemas: Schema[], known: Known): Input {
  const input: Input = Object.assign({}, ...schemas.map((schema) => fitting(draw, schema, known)))
  for (let spoils = draw.oneOf([0, 0, 0, 1, 1, 2]); spoils > 0; spoils--) spoil(draw, input)
  return input
}

function spoil(draw: Draw, input: Input) {
  const names = Object.keys(input)
  const name = names.length > 0 && draw.below(4) ? draw.oneOf(names) : draw.oneOf(EXTRA)
  const ways: (() => unknown)[] = [
    () => hostile(draw),
    () => hostile(draw),
    () => [input[name]],
    () => ({ [name]: input[name] }),
    () => written(`${write(input[name])},${JSON.stringify(name)}:${write(hostile(draw))}`),
    () => undefined,
  ]
  Object.defineProperty(input, name, { value: draw.oneOf(ways)(), enumerable: true, configurable: true, writable: true })
}

export function write(value: unknown): string {
  if (value instanceof Written) return value.text
  if (Array.isArray(value)) return `[${value.map(write)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const given = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${given.map(([name, one]) => `${JSON.stringify(name)}:${write(one)}`)}}`
}

/** As part of an address: now and then not even that. */
export const inAddress = (draw: Draw, value: unknown): string =>
  draw.below(30) === 0
    ? draw.oneOf(['%', '%zz', '%C0%AF', '%00', '..%2f..%2f', '%ED%A0%80', '//evil.example', '&&=&', '%E0%A4%A'])
    : encodeURIComponent((typeof value === 'string' ? value : write(value)).toWellFormed().slice(0, 2_000))
