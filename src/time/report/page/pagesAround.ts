const ALL_PAGES = 7

/** The first page, the last, those around the current one, and gaps between. */
export function pagesAround(page: number, pages: number): (number | 'gap')[] {
  if (pages <= ALL_PAGES) return range(1, pages)
  // Always the same number of places, so that nothing moves under the pointer.
  if (page <= 4) return [...range(1, 5), 'gap', pages]
  if (page >= pages - 3) return [1, 'gap', ...range(pages - 4, pages)]
  return [1, 'gap', ...range(page - 1, page + 1), 'gap', pages]
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth)
