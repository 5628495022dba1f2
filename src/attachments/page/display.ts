import type { LucideIcon } from 'lucide-react'
import FileImage from 'lucide-react/icons/file-image'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import FileText from 'lucide-react/icons/file-text'

const KB = 1024
const MB = KB * KB

export function sizeText(bytes: number): string {
  if (bytes < KB) return `${bytes} B`
  // Without this, rounding would show 1024.0 KB.
  return bytes < MB - KB / 20 ? `${(bytes / KB).toFixed(1)} KB` : `${(bytes / MB).toFixed(1)} MB`
}

const SHOWN = 64
const SHOWN_OF_END = 20
const letters = new Intl.Segmenter()

/** Cut in the middle, to keep the extension. */
export function shortName(name: string): string {
  const parts = [...letters.segment(name)].map(({ segment }) => segment)
  if (parts.length <= SHOWN) return name
  return `${parts.slice(0, SHOWN - SHOWN_OF_END - 1).join('')}…${parts.slice(-SHOWN_OF_END).join('')}`
}

export const iconOf = (mimeType: string): LucideIcon =>
  mimeType.startsWith('image/') ? FileImage : /sheet|excel/.test(mimeType) ? FileSpreadsheet : FileText
