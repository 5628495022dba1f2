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
        <Input
          type="search"
          aria-label={find}
          placeholder={find}
          autoComplete="off"
          className="max-w-sm"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {isError && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
          This could not be loaded.
        </TryAgain>
      )}
      {!rows && !isError && <div className="skeleton h-96" aria-busy />}
      {rows && (
        <>
          <ul ref={place.list} className="flex flex-col divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
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

export const RowText = ({ title, text, children }: { title: ReactNode; text: ReactNode; children?: ReactNode }) => (
  <div className="min-w-0 flex-1 basis-60">
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <bdi className="wrap-anywhere font-strong">{title}</bdi>
      {children}
    </div>
    <p className="wrap-anywhere text-quiet text-small">{text}</p>
  </div>
)

export const Badge = ({ children }: { children: string }) => (
  <span className="rounded-chip bg-column px-1.5 text-quiet text-small">{children}</span>
)
