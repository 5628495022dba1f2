/** Postgres takes less than 8,000 bytes at a time, and a letter has up to four. */
const PART_BYTES = 7_800
const PART = /.{1,1900}/gsu

/** Cuts a long text between letters; each part begins with its number and how many there are. */
export function partsOf(head: string, text: string): string[] {
  const parts = Buffer.byteLength(text) <= PART_BYTES ? [text] : (text.match(PART) ?? [])
  return parts.map((part, index) => `${head} ${index + 1} ${parts.length} ${part}`)
}

/** Puts parts together that come one after the other; those whose beginning was not heard come to nothing. */
export function createGathering(whole: (head: { from: string; id: number }, text: string) => void) {
  let gathered: string[] = []
  return (part: string) => {
    const [, from = '', id, number, of, text = ''] = /^(\S+) (\d+) (\d+) (\d+) (.*)$/s.exec(part) ?? []
    if (Number(number) === 1) gathered = []
    if (gathered.push(text) !== Number(number)) gathered = []
    else if (number === of) whole({ from, id: Number(id) }, gathered.join(''))
  }
}
