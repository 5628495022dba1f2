import { foldCase } from '../format'

export const FIND_MAX = 200

export const SHOWN = { boards: 5, tasks: 12, comments: 5, people: 5 } as const

export const wordsOf = (text: string): string[] => foldCase(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** 0 if a word is missing, most if the text begins with what was typed. */
export function rank(text: string, typed: string): number {
  const within = foldCase(text)
  const whole = foldCase(typed).trim()
  const own = wordsOf(text)
  if (within.startsWith(whole)) return wordsOf(typed).every((word) => own.includes(word)) ? 6 : 5
  const ranks = wordsOf(typed).map((word) => {
    if (own.includes(word)) return 4
    return own.some((other) => other.startsWith(word)) ? 3 : Number(within.includes(word))
  })
  return ranks.length > 0 ? Math.min(...ranks) : Number(within.includes(whole))
}

/** The tag that has a typed word which the title lacks. */
export function matchingTag({ title, tags }: { title: string; tags: string[] }, typed: string): string | null {
  const lacking = wordsOf(typed).filter((word) => !foldCase(title).includes(word))
  return tags.find((tag) => lacking.some((word) => foldCase(tag).includes(word))) ?? null
}

export const byRank = <Item>(items: Item[], typed: string, textOf: (item: Item) => string): Item[] =>
  items
    .map((item) => ({ item, rank: rank(textOf(item), typed) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ item }) => item)
