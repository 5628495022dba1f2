import MarkdownIt, { type StateCore } from 'markdown-it'

/** Above so many characters of HTML a browser takes seconds to lay it out. */
const LONGEST = 300_000

const LINK = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }

// HTML stays text. Anything nested deeper than 30 stays as written.
const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: false, maxNesting: 30 })
// `report.pdf` is no address.
markdown.linkify.set({ fuzzyLink: false })
markdown.core.ruler.push('tasks', checkTasks)

const { rules } = markdown.renderer
rules.link_open = (tokens, index, options, _env, self) => {
  for (const [name, value] of Object.entries(LINK)) tokens[index]?.attrSet(name, value)
  return self.renderToken(tokens, index, options)
}
// An image becomes a link, for the page loads nothing from elsewhere.
rules.image = (tokens, index) => {
  const { escapeHtml } = markdown.utils
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
rules.task_open = () => '<span role="img" aria-label="To do:">☐ </span>'
rules.task_done = () => '<span role="img" aria-label="Done:">☑ </span>'

/** Still to be sanitised; null where it is too long to show. */
export function htmlOf(text: string): string | null {
  try {
    const html = markdown.render(text)
    return html.length > LONGEST ? null : html
  } catch (error) {
    console.error(error)
    return null
  }
}

/** List items that begin with [ ] or [x] get a box. */
function checkTasks({ tokens, Token }: StateCore) {
  tokens.forEach((inline, index) => {
    const item = tokens[index - 2]
    const first = inline.children?.[0]
    const box = first?.type === 'text' && /^\[([ xX])\]\s+/.exec(first.content)
    if (item?.type !== 'list_item_open' || !first || !box) return
    first.content = first.content.slice(box[0].length)
    item.attrJoin('class', 'task')
    inline.children?.unshift(new Token(box[1] === ' ' ? 'task_open' : 'task_done', '', 0))
  })
}
