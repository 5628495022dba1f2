import { useNavigate } from '@tanstack/react-router'
import { Dialog as Radix } from 'radix-ui'
import { Suspense, useRef, useState } from 'react'
import { lazyComponent } from '../../web/lazy'
import { besideToasts } from '../../web/ui/besideToasts'
import type { FoundBoard } from '../schema'
import { Finding } from './Finding'

const NewTaskDialog = lazyComponent(() => import('../../tasks/page/NewTaskDialog').then((module) => module.NewTaskDialog))

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
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Portal>
          <Radix.Overlay data-scrim className="fixed inset-0 z-50 animate-appear bg-scrim" />
          <Radix.Content
            aria-describedby={undefined}
            onInteractOutside={besideToasts}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement
              left.current = false
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              if (!left.current && opener.current instanceof HTMLElement) opener.current.focus()
            }}
            className="fixed inset-x-0 top-(--room) z-50 mx-auto flex h-[calc(100dvh-var(--room))] w-full animate-rise flex-col bg-raised shadow-panel focus:outline-none sm:top-[10dvh] sm:h-auto sm:max-h-[min(36rem,80dvh,90dvh-var(--room))] sm:w-[min(40rem,calc(100vw-3rem))] sm:rounded-panel"
          >
            <Radix.Title className="sr-only">Find</Radix.Title>
            <Finding
              onLeave={leave}
              onNewTask={(board) => {
                setCreatingOn(board)
                leave()
              }}
            />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      <Suspense>
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
      </Suspense>
    </>
  )
}
