import type { Schema } from './apiSchemas'
import { describeCalls, type Operation } from './openapi'

/** The description itself, or, to a person's browser, a page that shows it. */
export function docsPage(request: Request): Response {
  const description = describeCalls()
  if (!request.headers.get('accept')?.includes('text/html')) return Response.json(description)
  return new Response(docsHtml(description), {
    headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': DOCS_POLICY },
  })
}

const DOCS_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#f6f5f2,#141312);--text:light-dark(#1c1b19,#f1efea);--quiet:light-dark(#5f5b54,#a8a399);--line:light-dark(#e4e1da,#2e2c29)}
body{background:var(--paper);color:var(--text);font:15px/1.5 ui-sans-serif,system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1.25rem}
section{border-top:1px solid var(--line);padding:.75rem 0}h2{font-size:15px;margin:0}p{margin:.25rem 0;color:var(--quiet)}
code{overflow-wrap:anywhere}pre{overflow-x:auto;font-size:13px}a{color:inherit}`

const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${new Bun.CryptoHasher('sha256').update(DOCS_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)

function docsHtml({ paths, info, components }: ReturnType<typeof describeCalls>): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation)),
  )
  const shapes = Object.entries(components.schemas).map(([name, schema]) => shapeSection(name, schema))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>wrk · REST calls</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${DOCS_STYLE}</style></head><body>
<h1>wrk · REST calls</h1><p>${escaped(info.description)} The same as
<a href="/api/docs/openapi.json">OpenAPI 3.1</a>.</p>${operations.join('\n')}
<h1>Shapes</h1>${shapes.join('\n')}</body></html>`
}

function section(method: string, path: string, { summary, requestBody, responses, security }: Operation): string {
  const statuses = Object.keys(responses).filter((status) => status !== 'default')
  const [status = '', ...refusals] = statuses
  const answer = responses[status]
  return `<section><h2><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code></h2>
<p>${escaped(summary)}. Answers ${status}${security.length > 0 ? '' : ', signed in or not'}. Refuses with ${refusals.join(', ')}.</p>
${details('Body', requestBody?.content)}${details('Answer', answer && 'content' in answer ? answer.content : undefined)}</section>`
}

const shapeSection = (name: string, schema: Schema | undefined) =>
  `<section id="${name}"><h2><code>${name}</code></h2><pre>${shown(schema)}</pre></section>`

const details = (title: string, content: Record<string, { schema: Schema }> | undefined) =>
  Object.values(content ?? {})
    .map(({ schema }) => `<details><summary>${title}</summary><pre>${shown(schema)}</pre></details>`)
    .join('')

/** A schema as JSON, in which the names of shapes lead to them. */
const shown = (schema: Schema | undefined) =>
  escaped(JSON.stringify(schema, null, 2)).replace(
    /\{\s*&quot;\$ref&quot;: &quot;#\/components\/schemas\/(\w+)&quot;\s*\}/g,
    '<a href="#$1">$1</a>',
  )
