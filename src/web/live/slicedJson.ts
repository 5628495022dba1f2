/** JSON with its long lists apart, in slices: that of a large board, made at once, would hold up several frames. */
export type SlicedJson = { json: string; lists: Blob[][] }

const SLICE = 250
const LIST = '$list'

/** Waits for `pause` before each slice. Storing texts would copy them all at once, storing blobs names them. */
export async function slicedJson(data: unknown, pause: () => Promise<void>): Promise<SlicedJson> {
  const long: unknown[][] = []
  const apart = (_key: string, value: unknown) =>
    Array.isArray(value) && value.length > SLICE ? { [LIST]: long.push(value) - 1 } : value
  const json = JSON.stringify(data, apart)
  const lists: Blob[][] = []
  for (const list of long) {
    const slices: Blob[] = []
    for (let start = 0; start < list.length; start += SLICE) {
      await pause()
      slices.push(new Blob([JSON.stringify(list.slice(start, start + SLICE))]))
    }
    lists.push(slices)
  }
  return { json, lists }
}

export async function parseSliced({ json, lists }: SlicedJson): Promise<unknown> {
  const texts = await Promise.all(lists.map((slices) => Promise.all(slices.map((slice) => slice.text()))))
  const together = (_key: string, value: unknown) => {
    const nth = (value as { [LIST]?: number } | null)?.[LIST]
    return nth === undefined ? value : texts[nth]?.flatMap((text) => JSON.parse(text))
  }
  return JSON.parse(json, together)
}
