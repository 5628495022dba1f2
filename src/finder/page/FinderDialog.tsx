import { useNavigate } from '@tanstack/react-router'
import * as Radix from 'radix-ui/dialog'
import { useRef, useState } from 'react'
import { NewTaskDialog } from '../../tasks/page/NewTask'
import { lazyComponent } from '../../web/lazy'
import { Overlay } from '../../web/ui/Overlay'
import type { FoundBoard } from '../schema'
import { FinderInput, type FindingProps } from './FinderInput'

export const Finding = lazyComponent(() => import('./Finding').then((module) => module.Finding))

type Props = { open: boolean; onOpenChange(open: boolean): void }

export function FinderDialog({ open, onOpenChange }: Props) {
  const [creatingOn, setCreatingOn] = useState<FoundBoard>()
  const opener = useRef<Element | null>(null)
  const left = useRef(false)
  const navigate = useNavigate()
  const leave = () => {
    left.current = true
    onOpenChange(false)
  }
  return (
    <>
      <Overlay
        open={open}
        onOpenChange={onOpenChange}
        onOpenAutoFocus={() => {
          opener.current = document.activeElement
          left.current = false
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (!left.current && opener.current instanceof HTMLElement) opener.current.focus()
        }}
        className="inset-x-0 top-16 mx-auto h-[calc(100dvh-4rem)] w-full animate-rise rounded-t-panel sm:top-[10dvh] sm:h-auto sm:max-h-[min(36rem,90dvh-5rem)] sm:w-[min(40rem,calc(100vw-3rem))] sm:rounded-panel"
      >
        <Radix.Title className="sr-only">Find</Radix.Title>
        <Search
          onLeave={leave}
          onNewTask={(board) => {
            setCreatingOn(board)
            leave()
          }}
        />
      </Overlay>
      {creatingOn && (
        <NewTaskDialog
          boardId={creatingOn.id}
          status="todo"
          onClose={() => setCreatingOn(undefined)}
          onCreated={() => {
            void navigate({ to: '/board/$boardId', params: { boardId: creatingOn.id } })
            return true
          }}
        />
      )}
    </>
  )
}

/** What is typed before the rest has come is in its field then. */
function Search(props: Pick<FindingProps, 'onLeave' | 'onNewTask'>) {
  const [typed, setTyped] = useState('')
  const [isEarly, setEarly] = useState(false)
  const field = { typed, onType: setTyped }
  const early = <FinderInput {...field} onFocus={() => setEarly(true)} />
  return <Finding {...props} {...field} isEarly={isEarly} fallback={early} onLost={props.onLeave} />
}
