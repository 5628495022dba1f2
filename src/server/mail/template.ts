type Paragraph = string | { text: string; link: string }

export type MailContent = {
  subject: string
  paragraphs: Paragraph[]
  action?: { label: string; link: string }
  footnote?: string
  unsubscribe?: string
}

export function renderMail(content: MailContent): { subject: string; text: string; html: string } {
  return { subject: words(content.subject).join(' '), text: renderText(content), html: renderHtml(content) }
}

const words = (text: string) =>
  text
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
    .map(withoutScheme)

/** Mail programs turn what looks like a URL into a link, and people write URLs into names. */
const withoutScheme = (word: string) => word.replace(/(?<![\p{L}\p{N}])(([a-z][a-z\d+.-]*:)?\/\/|mailto:|www\.)+(?=\S)/giu, '')

const TEXT_WIDTH = 72

function renderText({ paragraphs, action, footnote, unsubscribe }: MailContent): string {
  // The link stands alone on its line, so that every mail program finds its end.
  const blocks = [
    ...paragraphs.map((paragraph) => [wrap(textOf(paragraph)), linkOf(paragraph)].filter(Boolean).join('\n')),
    action && `${wrap(action.label)}:\n${action.link}`,
    footnote && wrap(footnote),
    unsubscribe && `Unsubscribe: ${unsubscribe}`,
  ]
  return blocks.filter(Boolean).join('\n\n')
}

const textOf = (paragraph: Paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.text)
const linkOf = (paragraph: Paragraph) => (typeof paragraph === 'string' ? undefined : paragraph.link)

function wrap(text: string): string {
  const [first = '', ...rest] = words(text)
  const lines = [first]
  for (const word of rest) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= TEXT_WIDTH) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines.join('\n')
}

/** The page's colours (web/tokens.css), because emails have no stylesheet. */
const LIGHT = { paper: '#f6f5f2', line: '#e4e1da', text: '#1c1b19', quiet: '#625e57', accent: '#c8321f' }
const DARK = { paper: '#141312', line: '#383531', text: '#f1efea', quiet: '#a8a399', accent: '#f0664f' }

// The light look is inline for programs that drop styles, so the dark one must outweigh it.
const DARK_STYLES = `
    .paper { background-color: ${DARK.paper} !important }
    .line { border-color: ${DARK.line} !important }
    .text { color: ${DARK.text} !important }
    .quiet { color: ${DARK.quiet} !important }
    .accent { color: ${DARK.accent} !important }
    .button { background-color: ${DARK.text} !important }
    .label { color: ${DARK.paper} !important }`

const FONT = "font-family: -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const FLOW = 'overflow-wrap: anywhere; text-wrap: pretty'
const BODY = `${FONT}; ${FLOW}; font-size: 16px; line-height: 26px`
const SMALL = `${FONT}; ${FLOW}; font-size: 13px; line-height: 20px`

const IN_ADDRESSES = /(?<=[\p{L}\p{N}\p{M}_-])([@.。．｡:/])(?=[\p{L}\p{N}])/u

/** An element inside a URL keeps mail programs from linking it. */
const toHtml = (text: string) =>
  words(text)
    .map((word) =>
      word
        .split(IN_ADDRESSES)
        .map((part, nth) => (nth % 2 === 1 ? `<span>${part}</span>` : Bun.escapeHTML(part)))
        .join(''),
    )
    .join(' ')

const renderHtml = ({ subject, paragraphs, action, footnote, unsubscribe }: MailContent) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
  <title>${Bun.escapeHTML(words(subject).join(' '))}</title>
  <style>
    :root { color-scheme: light dark }
    @media (prefers-color-scheme: dark) {${DARK_STYLES}
    }
  </style>
</head>
<body class="paper" style="margin: 0; padding: 0; background-color: ${LIGHT.paper}">
<div style="display: none; max-height: 0; overflow: hidden">${toHtml(previewOf(paragraphs))}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${LIGHT.paper}" style="background-color: ${LIGHT.paper}">
<tr><td align="center" style="padding: 40px 24px 56px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 520px; text-align: left">
<tr><td class="text" style="padding-bottom: 48px; ${FONT}; font-size: 22px; line-height: 26px; font-weight: 600; letter-spacing: -0.03em; color: ${LIGHT.text}">wrk<span class="accent" style="color: ${LIGHT.accent}">.</span></td></tr>
<tr><td><h1 class="text" style="margin: 0 0 20px; ${FONT}; ${FLOW}; font-size: 28px; line-height: 34px; font-weight: 600; letter-spacing: -0.02em; color: ${LIGHT.text}">${toHtml(subject)}</h1></td></tr>
${paragraphs.map(paragraphRow).join('\n')}${action ? `\n${actionRows(action)}` : ''}${footnote ? `\n${footnoteRow(footnote, unsubscribe)}` : ''}
</table>
</td></tr>
</table>
</body>
</html>
`

/** Mail programs show about 90 characters in their lists. */
const PREVIEW_MAX = 140

const previewOf = (paragraphs: Paragraph[]) => [...paragraphs.map(textOf).join(' ')].slice(0, PREVIEW_MAX).join('')

const paragraphRow = (paragraph: Paragraph) =>
  `<tr><td><p class="text" style="margin: 0 0 16px; ${BODY}; color: ${LIGHT.text}">${linked(paragraph)}</p></td></tr>`

function linked(paragraph: Paragraph): string {
  const [text, link] = [toHtml(textOf(paragraph)), linkOf(paragraph)]
  if (link === undefined) return text
  return `<a class="text" href="${Bun.escapeHTML(link)}" style="color: ${LIGHT.text}; text-decoration: underline">${text}</a>`
}

const actionRows = ({ label, link }: NonNullable<MailContent['action']>) => `<tr><td style="padding: 16px 0 28px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" bgcolor="${LIGHT.text}" style="border-radius: 8px; background-color: ${LIGHT.text}">
<a class="label" href="${Bun.escapeHTML(link)}" style="display: inline-block; padding: 11px 22px; ${FONT}; font-size: 16px; line-height: 24px; font-weight: 600; color: ${LIGHT.paper}; text-decoration: none">${toHtml(label)}</a>
</td></tr></table>
</td></tr>
<tr><td class="quiet" style="${SMALL}; color: ${LIGHT.quiet}">Or open this address:<br>
<a class="quiet" href="${Bun.escapeHTML(link)}" style="color: ${LIGHT.quiet}; text-decoration: underline; word-break: break-all">${Bun.escapeHTML(link)}</a></td></tr>`

const footnoteRow = (footnote: string, unsubscribe: string | undefined) =>
  `<tr><td style="padding-top: 32px"><p class="line quiet" style="margin: 0; padding-top: 20px; border-top: 1px solid ${LIGHT.line}; ${SMALL}; color: ${LIGHT.quiet}">${toHtml(footnote)}${unsubscribe ? ` <a class="quiet" href="${Bun.escapeHTML(unsubscribe)}" style="color: ${LIGHT.quiet}; text-decoration: underline">Unsubscribe</a>` : ''}</p></td></tr>`
