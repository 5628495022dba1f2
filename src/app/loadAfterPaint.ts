/** Where the HTML has contents already, it names the scripts for later, so that nothing else takes the line or the processor. */
export async function loadAfterPaint(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=later]')
  if (links.length === 0) return
  // Imports nothing, for what it shared with others would be no part of the page's first script.
  await Promise.race([painted(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  for (const link of links) link.rel = 'modulepreload'
}

/** A hidden page may never be painted. */
const PATIENCE_MS = 1_000

async function painted() {
  if (document.hidden) return
  await new Promise((resolve) => new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true }))
}
