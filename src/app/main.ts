export {}

// What the HTML shows is painted before the rest takes the line and the processor. A hidden page is never painted.
const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
if (!document.hidden) await frame().then(frame)
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) link.rel = 'modulepreload'
// In steps, so that the browser can answer between them.
await import('react-dom/client')
const { start } = await import('./start')
await start()
