import { FileImage, FileSpreadsheet, FileText, type LucideIcon } from 'lucide-react'

export const iconOf = (mimeType: string): LucideIcon =>
  mimeType.startsWith('image/') ? FileImage : /sheet|excel/.test(mimeType) ? FileSpreadsheet : FileText
