type ChecklistPart = { name: string; items: { text: string; done: boolean }[] }
type Link = { name: string; url: string }
export type Field = { name: string; value: string }

type Parts = { text?: string | null; checklists?: ChecklistPart[]; links?: Link[]; fields?: Field[] }

/** A description with what wrk has no place of its own for, as Markdown. */
export function describe({ text, checklists = [], links = [], fields = [] }: Parts): string | null {
  const parts = [
    text?.trim() ?? '',
    ...checklists.map(({ name, items }) => `### ${inLine(name) || 'Checklist'}\n\n${items.map(box).join('\n')}`.trim()),
    links.length > 0 ? `### Links\n\n${links.map(link).join('\n')}` : '',
    fields.map(({ name, value }) => `- ${inLine(name)}: ${linesOf(value).join('\n  ')}`).join('\n'),
  ]
  return parts.filter((part) => part !== '').join('\n\n') || null
}

const box = ({ text, done }: ChecklistPart['items'][number]) => `- [${done ? 'x' : ' '}] ${inLine(text) || '…'}`

const link = ({ name, url }: Link) =>
  /^https?:\/\/[^\s<>]+$/.test(url)
    ? `- [${inLine(name).replace(/[[\]\\]/g, '\\$&')}](<${url}>)`
    : `- ${inLine(`${name} ${url}`)}`

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

const inLine = (text: string) => text.replace(/\s+/g, ' ').trim()
