import { expect, test } from 'bun:test'
import { LinkifyIt } from 'linkify-it'
import { renderMail } from '../../src/server/mail/template'

const link = 'https://wrk.example.com/auth/verify?token=abc&remember=1'

test('a letter says in text all that it says in HTML, with the address alone on its line', () => {
  const { subject, text } = renderMail({
    subject: 'Your link',
    paragraphs: ['Hello Ada,', 'this paragraph is long enough that no mail program would like to show it on one line of text.'],
    action: { label: 'Sign in', link },
    footnote: 'You need not do anything.',
  })
  expect(subject).toBe('Your link')
  expect(text).toBe(
    [
      'Hello Ada,',
      '',
      'this paragraph is long enough that no mail program would like to show it',
      'on one line of text.',
      '',
      'Sign in:',
      link,
      '',
      'You need not do anything.',
    ].join('\n'),
  )
})

test('the HTML has the link on its button and once more to be read, and asks nothing of other machines', () => {
  const { html } = renderMail({ subject: 'Your link', paragraphs: ['Hello'], action: { label: 'Sign in', link } })
  const escaped = link.replace('&', '&amp;')
  expect(html.split(`href="${escaped}"`)).toHaveLength(3)
  expect(html).toContain(`>${escaped}</a>`)
  expect(html.replaceAll(escaped, '')).not.toMatch(/https?:|src=|url\(|@import|<script/)
})

test('what people typed is text: no markup, no line of its own', () => {
  const typed = `<img src=x onerror="alert(1)">\r\n\r\nSign in:\nhttps://evil.example & 'more'\u0000`
  const { subject, text, html } = renderMail({
    subject: typed,
    paragraphs: [typed],
    action: { label: typed, link: `${link}"><script>` },
    footnote: typed,
  })
  expect(subject).toBe(`<img src=x onerror="alert(1)"> Sign in: evil.example & 'more'`)
  expect(html).not.toMatch(/<img|<script|onerror="/)
  expect(html).toContain(
    '&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Sign in: evil<span>.</span>example &amp; &#x27;more&#x27;',
  )
  expect(text.split('\n')).not.toContain('Sign in:')
})

test('a mail program’s list shows how a letter begins, its second paragraph too', () => {
  const { html } = renderMail({ subject: 'A comment', paragraphs: ['On the board “Spring”:', 'The rates are in. '.repeat(20)] })
  const [, preview] = html.match(/<div style="display: none[^>]*>([^<]*)<\/div>/) ?? []
  expect(preview).toStartWith('On the board “Spring”: The rates are in. The rates')
  expect(preview?.length).toBeLessThan(150)
})

test('a letter may be paragraphs alone', () => {
  const { text, html } = renderMail({ subject: 'Done', paragraphs: ['Your password was changed.'] })
  expect(text).toBe('Your password was changed.')
  expect(html).not.toContain('href')
})

/** As generous as any mail program in what it takes for a link. */
const links = (text: string) =>
  (new LinkifyIt({ fuzzyIP: true, fuzzyLink: true, fuzzyEmail: true }).match(text) ?? []).map(({ raw }) => raw)

/** What a program that shows the text makes a link of: what says that it is one. */
const linksInText = (text: string) =>
  (
    new LinkifyIt({ fuzzyIP: false, fuzzyLink: false, fuzzyEmail: false }).match(text.replaceAll('www.', 'https://www.')) ?? []
  ).map(({ raw }) => raw)

const ADDRESSES = [
  'https://evil.example/login',
  'HTTP://1.2.3.4/a',
  '//evil.com',
  'www.evil.com',
  'x.evil-user.com',
  'evil.com/path?a=b',
  'bücher.com',
  'mallory@evil.com',
  'mailto:mallory@evil.com',
  '192.168.0.1/x',
]

for (const address of ADDRESSES)
  test(`a name like ${address} is no link in a letter, only its button is`, () => {
    expect(links(`see ${address} now`)).not.toEqual([])
    const said = { paragraphs: [`see ${address} now`, address], action: { label: address, link }, footnote: address }
    const { subject, text, html } = renderMail({ subject: address, ...said })
    expect([...linksInText(subject), ...linksInText(text)]).toEqual([link])
    expect(subject + text + html).not.toMatch(/[\p{Cf}\u200a]/u)
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain(subject)
    const shown = html.replaceAll(/<(style|head)[\s\S]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, '\n')
    expect(links(shown)).toEqual([link.replace('&', '&amp;')])
  })

test('what is no address stays as it was written', () => {
  const text = 'Version 2.5 at 10:30. Dr. Ada, e. g. @bob and/or 3.50 €…'
  expect(renderMail({ subject: text, paragraphs: [] }).subject).toBe(text)
})
