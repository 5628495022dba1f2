const REFERENCES = {
  html: /<(?:script|link)\b[^>]*?(?:src|href)="([^"]+\.(?:js|css))"/g,
  js: /(?:\bfrom|\bimport)\s*"([^"]+\.js)"/g,
}

/** Bytes as they are sent, gzipped: a page with its styles and scripts, and what those import when they load. */
export async function firstPage(origin: string, path: string): Promise<Record<'html' | 'css' | 'js', number>> {
  const bytes = { html: 0, css: 0, js: 0 }
  const seen = new Set<string>()
  const take = async (url: string, kind: keyof typeof bytes) => {
    if (seen.has(url)) return
    seen.add(url)
    const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    const sent = await response.bytes()
    bytes[kind] += sent.byteLength
    if (kind === 'css') return
    const text = new TextDecoder().decode(response.headers.has('content-encoding') ? Bun.gunzipSync(sent) : sent)
    for (const [, path] of text.matchAll(REFERENCES[kind]))
      if (path) await take(new URL(path, url).href, path.endsWith('.css') ? 'css' : 'js')
  }
  await take(origin + path, 'html')
  return bytes
}
