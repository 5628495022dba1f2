/** What a letter says; `action` is its one button. */
export type Letter = {
  subject: string
  /** Plain paragraphs, above the button. */
  paragraphs: string[]
  action?: { label: string; link: string }
  /** Small print, below it. */
  footnote?: string
}

/** A letter in text and HTML, in the product's look. Everything given is text, never markup. */
export function letter({ subject, paragraphs, action, footnote }: Letter): { subject: string; text: string; html: string } {
  const text = [...paragraphs, action && `${action.label}: ${action.link}`, footnote].filter(Boolean).join('\n\n')
  return { subject, text, html: '' }
}
