import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { PageTitle } from '../../time/page/HeaderTimer'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/TryAgain'
import { useImport, useImports } from './cache'
import { focusIfLost } from './focusIfLost'
import { ImportList } from './ImportList'
import { OneImport } from './OneImport'
import { WaysIn } from './WaysIn'

export function ImportPage() {
  const { id } = useSearch({ from: '/import' })
  const navigate = useNavigate({ from: '/import' })
  const list = useImports()
  const imports = list.data
  const listed = imports?.find((known) => known.id === id)
  const opened = useImport(listed)
  const one = listed && opened.data
  const isGone = id !== undefined && imports && (!listed || refusalOf(opened.error)?.code === 'NOT_FOUND')
  const failed = list.isError ? list : !isGone && opened.isError ? opened : undefined
  const [isCome, setIsCome] = useState(false)
  const show = (shown?: number) => {
    setIsCome(true)
    void navigate({ search: shown === undefined ? {} : { id: shown } })
  }
  return (
    <div className="flex flex-1 scroll-pb-20 flex-col overflow-y-auto p-4 sm:p-8">
      <PageTitle>Import</PageTitle>
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-4">
        {failed && (
          <TryAgain busy={failed.isFetching} retry={() => void failed.refetch()} error={failed.error}>
            Your imports could not be read.
          </TryAgain>
        )}
        {id === undefined ? (
          <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">
            <header className="flex flex-col gap-1">
              <h1 ref={isCome ? focusIfLost : undefined} tabIndex={-1} className="font-strong text-title focus:outline-none">
                Import a Board
              </h1>
              <p className="text-pretty text-quiet">From another program, or one that left wrk as an archive.</p>
            </header>
            {imports && imports.length > 0 && <ImportList imports={imports} />}
            <WaysIn onRead={(made) => show(made.id)} />
          </article>
        ) : (
          <>
            <Button look="quiet" size="small" className="-ml-2 self-start" onClick={() => show()}>
              <ArrowLeft className="size-3.5" aria-hidden />
              All imports
            </Button>
            {isGone && <Gone />}
            {!isGone && one && <OneImport key={id} one={one} isCome={isCome} onLeave={() => show()} />}
            {!isGone && !one && !failed && <div className="h-96" aria-busy />}
          </>
        )}
      </div>
    </div>
  )
}

const Gone = () => (
  <article className="flex flex-col gap-1 rounded-panel bg-surface p-5 shadow-card sm:p-8">
    <h1 className="font-strong text-title">This import is gone</h1>
    <p className="text-pretty text-quiet">It was cancelled, or nobody looked at it for days. A board that was imported stays.</p>
  </article>
)
