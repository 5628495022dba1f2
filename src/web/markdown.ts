import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
import { checkboxesIn } from '../checklist'

/** Above so many characters of HTML a browser takes seconds to lay it out. */
const LONGEST = 300_000

const LINK = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }

/** `mentions` finds who is named in a text, of whom `reader` is oneself. */
export type Rendering = {
  breaks?: boolean | undefined
  tickable?: boolean | undefined
  mentions?: ((text: string) => Mention[]) | undefined
  reader?: string | undefined
}
type Mention = { from: number; to: number; username: string }

// HTML stays text. Anything nested deeper than 30 stays as written.
const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: false, maxNesting: 30 })
const { escapeHtml } = markdown.utils
// `report.pdf` is no address.
markdown.linkify.set({ fuzzyLink: false })
markdown.core.ruler.push('boxes', markBoxes)
markdown.core.ruler.push('mentions', markMentions)

const { rules } = markdown.renderer
rules.link_open = (tokens, index, options, _env, self) => {
  for (const [name, value] of Object.entries(LINK)) tokens[index]?.attrSet(name, value)
  return self.renderToken(tokens, index, options)
}
// An image becomes a link, for the page loads nothing from elsewhere.
rules.image = (tokens, index) => {
  const picture = tokens[index]
  const address = escapeHtml(String(picture?.attrGet('src') ?? ''))
  return `<a href="${address}" target="${LINK.target}" rel="${LINK.rel}">${escapeHtml(picture?.content || 'Picture')}</a>`
}
// Headings become strong lines, for they would mix with the page's own.
rules.heading_open = () => '<p class="font-strong">'
rules.heading_close = () => '</p>'
// `tabindex` makes it scrollable by keyboard.
rules.table_open = () => '<section class="overflow-x-auto" tabindex="0" aria-label="Table"><table>'
rules.table_close = () => '</table></section>'
rules.softbreak = (_tokens, _index, _options, env) => (renderingOf(env).breaks ? '<br>\n' : '\n')
rules.box = (tokens, index, _options, env) => {
  const { content = '', info = '', meta: line } = tokens[index] ?? {}
  return `<input type="checkbox" aria-label="${escapeHtml(content)}" data-line="${line}"${info}${renderingOf(env).tickable ? '' : ' disabled'}>`
}
rules.mention = (tokens, index, _options, env) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  const name = escapeHtml(info)
  return `<a href="/${name}" data-mention="${name}"${info === renderingOf(env).reader ? ' data-own' : ''}>${escapeHtml(content)}</a>`
}

const renderingOf = (env: object = {}): Rendering => env

/** Still to be sanitised; null where it is too long to show. */
export function htmlOf(text: string, rendering: Rendering = {}): string | null {
  try {
    const html = markdown.render(text, { ...rendering })
    return html.length > LONGEST ? null : html
  } catch (error) {
    console.error(error)
    return null
  }
}

/** List items that begin with [ ] or [x] get a box, which is counted as `checkboxesIn` counts it. */
function markBoxes({ src, tokens, Token }: StateCore) {
  const lines = new Set(checkboxesIn(src).map(({ line }) => line))
  tokens.forEach((inline, index) => {
    const item = tokens[index - 2]
    const line = inline.map?.[0] ?? -1
    const { children } = inline
    const first = children?.[0]
    const box = first?.type === 'text' && /^\[([ xX])\]\s+/.exec(first.content)
    if (item?.type !== 'list_item_open' || !first || !box || !lines.has(line)) return
    first.content = first.content.slice(box[0].length)
    item.attrJoin('class', 'task')
    const label = children?.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
    const token = Object.assign(new Token('box', '', 0), { content: label, info: box[1] === ' ' ? '' : ' checked', meta: line })
    children?.unshift(token)
  })
}

/** Mentions become links, but for those within one. */
function markMentions({ tokens, Token, env }: StateCore) {
  const { mentions } = renderingOf(env)
  if (!mentions) return
  for (const inline of tokens) {
    let depth = 0
    inline.children &&= inline.children.flatMap((token) => {
      depth += token.nesting * Number(/^link_/.test(token.type))
      return token.type === 'text' && depth === 0 ? split(token, mentions(token.content), Token) : [token]
    })
  }
}

function split(text: Token, found: Mention[], New: StateCore['Token']): Token[] {
  const part = (type: string, from: number, to?: number, info = '') =>
    Object.assign(new New(type, '', 0), { content: text.content.slice(from, to), info })
  const parts = found.flatMap(({ from, to, username }, nth) => [
    part('text', found[nth - 1]?.to ?? 0, from),
    part('mention', from, to, username),
  ])
  return [...parts, part('text', found.at(-1)?.to ?? 0)]
}
