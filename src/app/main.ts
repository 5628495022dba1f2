// In steps, so that the browser can paint and answer between them.
await import('react-dom/client')
const { start } = await import('./start')
await start()

export {}
