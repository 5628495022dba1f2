import { heapStats } from 'bun:jsc'

export type Memory = { rss: number; heap: number; objects: number }

// Loaded before the server, into its process.
process.on('SIGUSR2', () => {
  Bun.gc(true)
  const { heapSize: heap, objectCount: objects } = heapStats()
  console.log(`memory ${JSON.stringify({ rss: process.memoryUsage.rss(), heap, objects } satisfies Memory)}`)
})
