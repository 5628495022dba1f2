import { brotliDecompressSync } from 'node:zlib'

const REFERENCES = {
  html: /<(?:script|link)\b[^>]*?(?:src|href)="([^"]+\.(?:js|css))"/g,
  js: /(?:\bfrom|\bimport)\s*"([^"]+\.js)"/g,
}

export type FirstPage = Record<'html' | 'css' | 'js', number> & {
  /** Scripts by their addresses, and which of them the HTML names. */
  scripts: Map<string, string>
  named: string[]
}

/** Bytes as they are sent, brotli: a page with its styles and scripts, and what those import when they load. */
export async function firstPage(origin: string, path: string, cookie = ''): Promise<FirstPage> {
  const first: FirstPage = { html: 0, css: 0, js: 0, scripts: new Map(), named: [] }
  const seen = new Set<string>()
  const take = async (url: string, kind: 'html' | 'css' | 'js') => {
    if (seen.has(url)) return
    seen.add(url)
    const response = await fetch(url, { headers: { 'accept-encoding': 'br', cookie }, decompress: false })
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    const sent = await response.bytes()
    first[kind] += sent.byteLength
    if (kind === 'css') return
    const text = new TextDecoder().decode(response.headers.has('content-encoding') ? brotliDecompressSync(sent) : sent)
    const referred = [...text.matchAll(REFERENCES[kind])].map(([, name = '']) => name)
    if (kind === 'js') first.scripts.set(new URL(url).pathname, text)
    else first.named = referred.filter((name) => name.endsWith('.js'))
    for (const name of referred) await take(new URL(name, url).href, name.endsWith('.css') ? 'css' : 'js')
  }
  await take(origin + path, 'html')
  return first
}
