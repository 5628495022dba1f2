import type { ReactNode } from 'react'
import { foldCase } from '../../format'
import { wordsOf } from '../rank'

export const ROW =
  'flex w-full min-h-10 items-center gap-3 rounded-card px-3 py-1.5 text-left focus:outline-none aria-selected:bg-hover pointer-coarse:min-h-12'

type LinesProps = { title: ReactNode; tag?: string | null; beside?: string | undefined; children?: ReactNode }

/** On a phone, what is beside the title is below it. */
export const Lines = ({ title, tag, beside, children }: LinesProps) => (
  <span className="flex min-w-0 flex-1 flex-col">
    <span className="flex min-w-0 items-baseline gap-x-3 max-sm:flex-col">
      <span dir="auto" className="min-w-0 max-w-full truncate sm:flex-1">
        {title}
      </span>
      {(tag || beside) && (
        <span className="flex min-w-0 max-w-full items-baseline gap-2 text-quiet text-small sm:max-w-1/2 sm:shrink-0">
          {tag && (
            <span className="flex min-w-8 rounded-chip bg-column px-1.5">
              <span className="sr-only">Tag: </span>
              <span dir="auto" className="truncate">
                {tag}
              </span>
            </span>
          )}
          <span dir="auto" className="truncate">
            {beside}
          </span>
        </span>
      )}
    </span>
    {children && (
      <span dir="auto" className="truncate text-quiet text-small">
        {children}
      </span>
    )}
  </span>
)

/** Marks the typed words in the text, preferably at the beginnings of words. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  return partsOf(text, wordsOf(typed)).map(({ from, part, isMarked }) =>
    isMarked ? (
      <mark
        key={from}
        className="font-strong text-text underline not-forced-colors:bg-transparent decoration-accent decoration-2 underline-offset-4"
      >
        {part}
      </mark>
    ) : (
      part
    ),
  )
}

type Part = { from: number; part: string; isMarked: boolean }

function partsOf(text: string, words: string[]): Part[] {
  const within = foldCase(text)
  // Some letters, such as İ, change length, which would shift the marks.
  if (within.length !== text.length) return [{ from: 0, part: text, isMarked: false }]
  const marks = words.flatMap((word) => placeOf(within, word)).toSorted((a, b) => a.from - b.from)
  const parts: Part[] = []
  let from = 0
  for (const mark of marks) {
    if (mark.from < from) continue
    parts.push({ from, part: text.slice(from, mark.from), isMarked: false })
    parts.push({ from: mark.from, part: text.slice(mark.from, mark.to), isMarked: true })
    from = mark.to
  }
  return [...parts, { from, part: text.slice(from), isMarked: false }].filter(({ part }) => part !== '')
}

function placeOf(within: string, word: string): { from: number; to: number }[] {
  const begins = [...within.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].find(([own]) => own.startsWith(word))?.index
  const from = begins ?? within.indexOf(word)
  return from < 0 ? [] : [{ from, to: from + word.length }]
}
