/** In days, from the largest: sums are kept for the periods of these lengths that begin at a multiple of it since 1970. */
const SPANS = [64, 8, 1]
const DAY_MS = 86_400_000

export type Period = { span: number; day: string }

/** The fewest periods that make up these days. */
export function periodsOf(first: string, last: string): Period[] {
  const periods: Period[] = []
  const end = Date.parse(last) / DAY_MS
  for (let day = Date.parse(first) / DAY_MS; day <= end; ) {
    const span = SPANS.find((span) => day % span === 0 && day + span - 1 <= end) ?? 1
    periods.push({ span, day: new Date(day * DAY_MS).toISOString().slice(0, 10) })
    day += span
  }
  return periods
}
