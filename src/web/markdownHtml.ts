import type { StateCore, Token } from 'markdown-it'
import { boxOf, createMarkdown, outsideLinks } from '../markdown'

/** A browser takes seconds to lay out more HTML than this. */
const LONGEST = 300_000

const LINK = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }

/** `mentions` finds the people mentioned in a text; `reader` is the viewer. */
export type Rendering = {
  tickable?: boolean | undefined
  mentions?: ((text: string) => Mention[]) | undefined
  reader?: string | undefined
}
type Mention = { from: number; to: number; username: string }

const markdown = createMarkdown()
const { escapeHtml } = markdown.utils
markdown.core.ruler.push('shown boxes', showBoxes)
markdown.core.ruler.push('mentions', markMentions)

const { rules } = markdown.renderer
rules.link_open = (tokens, index, options, _env, self) => {
  for (const [name, value] of Object.entries(LINK)) tokens[index]?.attrSet(name, value)
  return self.renderToken(tokens, index, options)
}
// An image becomes a link, because the page loads nothing from elsewhere.
rules.image = (tokens, index) => {
  const picture = tokens[index]
  const address = escapeHtml(String(picture?.attrGet('src') ?? ''))
  return `<a href="${address}" target="${LINK.target}" rel="${LINK.rel}">${escapeHtml(picture?.content || 'Picture')}</a>`
}
// Headings become bold lines, so that they do not mix with the page's own.
rules.heading_open = () => '<p class="font-strong">'
rules.heading_close = () => '</p>'
// `tabindex` makes it scrollable by keyboard.
rules.table_open = () => '<section class="overflow-x-auto" tabindex="0" aria-label="Table"><table>'
rules.table_close = () => '</table></section>'
// The page's security policy forbids the library's inline style.
rules.th_open = rules.td_open = (tokens, index, options, _env, self) => {
  const cell = tokens[index]
  const [, align] = /text-align:(\w+)/.exec(String(cell?.attrGet('style') ?? '')) ?? []
  if (cell) cell.attrs = align ? [['align', align]] : null
  return self.renderToken(tokens, index, options)
}
rules.box = (tokens, index, _options, env) => {
  const { content = '', info = '', meta: line } = tokens[index] ?? {}
  return `<input type="checkbox" class="checkbox" aria-label="${escapeHtml(content)}" data-line="${line}"${info}${renderingOf(env).tickable ? '' : ' disabled'}>`
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

function showBoxes({ tokens, Token }: StateCore) {
  tokens.forEach((inline, index) => {
    const box = boxOf(inline)
    if (!box) return
    tokens[index - 2]?.attrJoin('class', 'task')
    const label = inline.children?.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
    const token = { content: label, info: box.done ? ' checked' : '', meta: box.line }
    inline.children?.unshift(Object.assign(new Token('box', '', 0), token))
  })
}

function markMentions({ tokens, Token, env }: StateCore) {
  const { mentions } = renderingOf(env)
  if (!mentions) return
  for (const inline of tokens) {
    const spoken = new Set(outsideLinks(inline.children ?? []))
    inline.children &&= inline.children.flatMap((token) =>
      spoken.has(token) ? split(token, mentions(token.content), Token) : [token],
    )
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
