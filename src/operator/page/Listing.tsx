import Search from 'lucide-react/icons/search'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { Input } from '../../web/ui/Field'
import { useKeptPlace } from '../../web/ui/focus'
import { type ReadPart, useOperatorList } from './operatorCalls'

type Props<Row> = {
  name: string
  /** The placeholder of the search field; without it there is none. */
  find?: string
  empty: string
  read: ReadPart<Row>
  children(row: Row): ReactNode
}

/** A searchable list of all rows, loaded page by page. */
export function Listing<Row extends { id: number }>({ name, find, empty, read, children }: Props<Row>) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { rows, error, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperatorList(
    name,
    search,
    read,
  )
  const place = useKeptPlace(rows)
  return (
    <div className="dense flex flex-col gap-4" {...place.watched}>
      {find && (
        <div className="relative max-w-sm">
          <Search className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-quiet" aria-hidden />
          <Input
            type="search"
            aria-label={find}
            placeholder={find}
            autoComplete="off"
            className="pl-9"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      {isError && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
          This could not be loaded.
        </TryAgain>
      )}
      {!rows && !isError && <div className="skeleton h-80 [--row:4rem]" aria-busy />}
      {rows && (
        <>
          <ul ref={place.list} className="flex flex-col divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex items-start gap-x-4 py-3 sm:items-center">
                {children(row)}
              </li>
            ))}
          </ul>
          <p ref={place.end} tabIndex={-1} role="status" className="text-quiet outline-none empty:hidden">
            {rows.length === 0 && (search ? `Nothing found for “${search}”.` : empty)}
          </p>
        </>
      )}
      {hasNextPage && (
        <Button className="self-start" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}

type TextProps = { title: ReactNode; text: ReactNode; facts: ReactNode; children?: ReactNode }

/** `facts` stand beside the text or, where that is too narrow, directly below it. */
export const RowText = ({ title, text, facts, children }: TextProps) => (
  <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
    <div className="min-w-0 flex-1 basis-60">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:min-h-6">
        <bdi className="wrap-anywhere font-strong">{title}</bdi>
        {children}
      </div>
      <p className="wrap-anywhere text-quiet text-small">{text}</p>
    </div>
    <p className="tabular basis-44 text-quiet text-small">{facts}</p>
  </div>
)

export const Badge = ({ children }: { children: string }) => (
  <span className="rounded-chip bg-column px-1.5 text-quiet text-small">{children}</span>
)
