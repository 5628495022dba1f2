import { toast } from './toast'

/** A link, so that the streamed file goes to the disk without being held in memory. */
export function startDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
  toast({ title: 'Download Started', duration: 3_000 })
}
