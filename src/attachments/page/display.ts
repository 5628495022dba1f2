const KB = 1024
const MB = KB * KB

/** A size in B, KB or MB with one decimal (board-page.md, section 9). */
export function sizeText(bytes: number): string {
  if (bytes < KB) return `${bytes} B`
  // What would be rounded to 1024.0 KB is 1.0 MB.
  return bytes < MB - KB / 20 ? `${(bytes / KB).toFixed(1)} KB` : `${(bytes / MB).toFixed(1)} MB`
}

const SHOWN = 64
const SHOWN_OF_END = 20
const letters = new Intl.Segmenter()

/** A long name cut in the middle: how it ends tells what it is. */
export function shortName(name: string): string {
  const parts = [...letters.segment(name)].map(({ segment }) => segment)
  if (parts.length <= SHOWN) return name
  return `${parts.slice(0, SHOWN - SHOWN_OF_END - 1).join('')}…${parts.slice(-SHOWN_OF_END).join('')}`
}
