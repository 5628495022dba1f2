import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../../../web/ui/Button'
import { Select } from '../../../web/ui/Select'
import { PAGE_SIZES } from '../schema'

type PageSize = (typeof PAGE_SIZES)[number]
type Props = {
  page: number
  pageSize: PageSize
  entries: number
  onPage(page: number): void
  onPageSize(size: PageSize): void
}

/** What is disabled loses the focus, just as one has come to the end. */
const STEP = {
  look: 'quiet',
  size: 'small-icon',
  className: 'aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
} as const

export function Pagination({ page, pageSize, entries, onPage, onPageSize }: Props) {
  const pages = Math.max(1, Math.ceil(entries / pageSize))
  const sizeOf = (value: string) => PAGE_SIZES.find((size) => String(size) === value)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex items-center gap-2 text-quiet text-small">
        <span aria-hidden>Rows per page</span>
        <Select
          aria-label="Rows per page"
          className="[&>select]:h-9"
          value={pageSize}
          onChange={({ target: { value } }) => onPageSize(sizeOf(value) ?? pageSize)}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </Select>
      </p>
      {pages > 1 && (
        <nav aria-label="Pages" className="flex flex-wrap items-center gap-1">
          <Button {...STEP} aria-label="Previous page" aria-disabled={page <= 1} onClick={() => onPage(Math.max(1, page - 1))}>
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          {pagesAround(page, pages).map((shown, nth) =>
            shown === 'gap' ? (
              <span key={`gap-${nth}`} className="w-7 text-center text-quiet" aria-hidden>
                …
              </span>
            ) : (
              <Button
                key={shown}
                look={shown === page ? 'primary' : 'quiet'}
                size="small"
                className="tabular min-w-7"
                aria-label={`Page ${shown}`}
                aria-current={shown === page ? 'page' : undefined}
                onClick={() => onPage(shown)}
              >
                {shown}
              </Button>
            ),
          )}
          <Button
            {...STEP}
            aria-label="Next page"
            aria-disabled={page >= pages}
            onClick={() => onPage(Math.min(pages, page + 1))}
          >
            <ChevronRight className="size-4" aria-hidden />
          </Button>
        </nav>
      )}
    </div>
  )
}

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
