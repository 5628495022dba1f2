import type { createLosses } from './losses'

export const isYes = (cell: string): boolean =>
  /^(yes|true|y|x|1|✓|✔|☑|✅|checked|done|complete[d]?|ja|wahr|oui|vrai|s[ií]|verdadero|sim)$/i.test(cell.trim())

export const isNo = (cell: string): boolean =>
  /^(|no|false|n|0|nein|falsch|non|faux|falso|não|-|☐|unchecked|incomplete)$/i.test(cell.trim())

type Losses = Pick<ReturnType<typeof createLosses>, 'add'>

const trimmed = (parts: string[]): string[] => parts.map((part) => part.trim()).filter((part) => part !== '')

const SEPARATORS = /[,;|\n]/

/** Values between commas, semicolons, bars or lines, or a list in brackets. */
export const splitCell = (cell: string, losses: Losses, separators = SEPARATORS): string[] =>
  trimmed(listIn(cell)?.map((item) => nameIn(item, losses)) ?? cell.split(separators))

/** Items of JSON, or of `[a, b]` as ClickUp writes; null if the cell is neither. */
export function listIn(cell: string): unknown[] | null {
  const list = jsonIn(cell)
  return list ?? (cell.startsWith('[') && cell.endsWith(']') ? cell.slice(1, -1).split(',') : null)
}

export function jsonIn(cell: string): unknown[] | null {
  const ends = cell.slice(0, 1) + cell.slice(-1)
  if ((ends !== '[]' && ends !== '{}') || isDeep(cell)) return null
  try {
    const value: unknown = JSON.parse(cell)
    const items = Array.isArray(value) ? value : [value]
    return items.length > ITEMS_MAX ? null : items
  } catch {
    return null
  }
}

/** Reading more items would keep others waiting, so a cell with more is read as text. */
const ITEMS_MAX = 2_000
const DEPTH_MAX = 20

/** Deeper JSON would overflow the stack. */
function isDeep(json: string): boolean {
  let depth = 0
  for (const letter of json) {
    if (letter === '[' || letter === '{') depth += 1
    else if (letter === ']' || letter === '}') depth -= 1
    if (depth > DEPTH_MAX) return true
  }
  return false
}

/** Keys in lower case without signs, the best first. */
const NAMES = ['name', 'displayname', 'fullname', 'realname', 'title', 'label', 'username', 'login']
const EMAILS = ['email', 'emailaddress', 'mail']
const WORDS = ['plaintext', 'text', 'content', 'value', 'body', 'richtext', 'attrs']
const NAME_PARTS = { name: [...NAMES, ...WORDS], email: EMAILS }
/** They mean nothing elsewhere, or repeat others. */
const MEANINGLESS = /^(?:id|gid|uuid|type|object)$|_id$|[a-z]Id$|html$/

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The text anywhere in a value, as in documents of Jira and Notion; for a person, name and address. */
function wordsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsIn).join(value.some((item) => isObject(item) && 'content' in item) ? '\n' : '')
  if (!isObject(value)) return String(value ?? '')
  return 'type' in value && value.type === 'hardBreak' ? '\n' : named(partsIn(value, NAME_PARTS))
}

const named = ({ name, email }: Record<'name' | 'email', string>) => (name && email ? `${name} <${email}>` : name || email)

/** Each part is taken from the first of its names that exists. Other keys are noted as losses. */
export function partsIn<Part extends string>(item: object, parts: Record<Part, string[]>, losses?: Losses): Record<Part, string> {
  const entries = Object.entries(item)
    .map(([key, value]) => ({ key, name: key.replace(/[\s_-]/g, '').toLowerCase(), text: wordsIn(value) }))
    .filter(({ text }) => text !== '')
  const found = Object.entries<string[]>(parts).map(([part, names]) => {
    const rank = ({ name }: { name: string }) => names.indexOf(name)
    return { part, entry: entries.filter((entry) => rank(entry) >= 0).toSorted((a, b) => rank(a) - rank(b))[0] }
  })
  for (const entry of losses ? entries : [])
    if (!MEANINGLESS.test(entry.key) && !found.some((part) => part.entry === entry))
      losses?.add('cellDetail', `${entry.key}: ${entry.text}`)
  return Object.fromEntries(found.map(({ part, entry }) => [part, entry?.text ?? ''])) as Record<Part, string>
}

function nameIn(item: unknown, losses: Losses): string {
  if (!isObject(item)) return String(item ?? '')
  return named(partsIn(item, NAME_PARTS, losses)) || JSON.stringify(item)
}
