import { plain, wordsOf } from '../basics'

/** The text with what was typed marked in it, at the beginnings of words where there are such. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  return partsOf(text, wordsOf(typed)).map(({ from, part, isMarked }) =>
    isMarked ? (
      <mark
        key={from}
        className="bg-transparent font-strong text-text underline decoration-accent decoration-2 underline-offset-4"
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
  const within = plain(text)
  // Where letters change their number, as İ does, places would be wrong.
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
