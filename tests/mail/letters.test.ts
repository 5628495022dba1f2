import { expect, test } from 'bun:test'
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
  expect(subject).toBe(`<img src=x onerror="alert(1)"> Sign in: https://evil.example & 'more'`)
  expect(html).not.toMatch(/<img|<script|onerror="/)
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Sign in: https://evil.example &amp; &#x27;more&#x27;')
  expect(text.split('\n')).not.toContain('Sign in:')
})

test('a letter may be paragraphs alone', () => {
  const { text, html } = renderMail({ subject: 'Done', paragraphs: ['Your password was changed.'] })
  expect(text).toBe('Your password was changed.')
  expect(html).not.toContain('href')
})
