import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
import { type Checkbox, type Checklist, withCheckbox } from './checklist'

// HTML stays text. Anything nested deeper than 30 stays as written.
const OPTIONS = { html: false, linkify: true, breaks: true, maxNesting: 30 }

export function createMarkdown(options: Partial<typeof OPTIONS> = {}) {
  const markdown = new MarkdownIt('default', { ...OPTIONS, ...options })
  // `report.pdf` is not an address.
  markdown.linkify.set({ fuzzyLink: false })
  markdown.core.ruler.after('block', 'boxes', cutBoxes)
  return markdown
}

// Looking for links takes most of the time on hostile text, and changes no word.
const whole = createMarkdown({ linkify: false })

const spoken = createMarkdown({ linkify: false }).disable('table')

const outline = createMarkdown()
outline.core.ruler.enableOnly(['normalize', 'block', 'boxes'])

const boxes = new WeakMap<Token, Checkbox>()

const BOX = /^\[([ xX])\][ \t]+(?=\S)/

/** List items that begin with [ ] or [x] have a box, which `boxOf` finds. */
function cutBoxes({ tokens }: StateCore) {
  tokens.forEach((inline, index) => {
    const [mark, letter] = BOX.exec(inline.content) ?? []
    const isFirst = tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open'
    if (mark === undefined || inline.type !== 'inline' || !isFirst) return
    inline.content = inline.content.slice(mark.length)
    const [words = ''] = inline.content.split('\n')
    boxes.set(inline, { line: inline.map?.[0] ?? 0, words: words.trimEnd(), done: letter !== ' ' })
  })
}

/** Of the `inline` token at the start of a list item. */
export const boxOf = (token: Token): Checkbox | undefined => boxes.get(token)

export const checkboxesIn = (text: string): Checkbox[] =>
  /\[[ xX]\]/.test(text) ? tokensOf(text, outline).flatMap((token) => boxOf(token) ?? []) : []

/** The text with the checkbox of these words nearest to its line ticked or not; undefined if there is none. */
export function withNearestCheckbox(text: string, box: Checkbox): string | undefined {
  const same = checkboxesIn(text).filter(({ words }) => words === box.words)
  const [nearest] = same.toSorted((a, b) => Math.abs(a.line - box.line) - Math.abs(b.line - box.line))
  return nearest && withCheckbox(text, { ...nearest, done: box.done })
}

export function checklistIn(text: string | null): Checklist | undefined {
  const boxes = checkboxesIn(text ?? '')
  return boxes.length > 0 ? { done: boxes.filter(({ done }) => done).length, all: boxes.length } : undefined
}

const READ_CHARACTERS = 5_000

/** The first words without their marks, for excerpts. */
export function plainWords(whole: string): string {
  const text = whole.slice(0, READ_CHARACTERS).toWellFormed()
  const blocks = tokensOf(text).filter(({ type }) => ['inline', 'fence', 'code_block'].includes(type))
  return blocks.map(({ children, content }) => children?.map(wordsIn).join('') ?? content.trimEnd()).join('\n') || text
}

const wordsIn = ({ type, content }: Token) => (/break$/.test(type) ? '\n' : content)

/** The author's own words, without code and link text. */
export const spokenIn = (text: string): string[] =>
  tokensOf(text, spoken).flatMap(({ children }) =>
    outsideLinks(children ?? []).map(({ content }) => content.replace(ADDRESS, ' ')),
  )

const ADDRESS = /\w+:\/\/\S+/g

export function outsideLinks(tokens: Token[]): Token[] {
  let depth = 0
  return tokens.filter(({ type, nesting }) => {
    depth += nesting * Number(/^link_/.test(type))
    return type === 'text' && depth === 0
  })
}

function tokensOf(text: string, markdown = whole): Token[] {
  try {
    return markdown.parse(text, {})
  } catch (error) {
    console.error(error)
    return []
  }
}
