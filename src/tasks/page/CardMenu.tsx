import { type ComponentProps, Suspense, useState } from 'react'
import { lazyComponent } from '../../web/lazy'
import type { Task } from '../schema'

const MoveMenu = lazyComponent(() => import('./MoveMenu').then((module) => module.MoveMenu))

type Props = { task: Task; inTabOrder: boolean }

/** Moves a card by clicks, for users who cannot drag (WCAG 2.5.7). */
export function CardMenu({ task, inTabOrder }: Props) {
  const [opened, setOpened] = useState(false)
  const button = (
    <MenuButton aria-label={`Move ${task.title}`} tabIndex={inTabOrder ? 0 : -1} onClick={() => setOpened(true)} busy={opened} />
  )
  if (!opened) return button
  return (
    <Suspense fallback={button}>
      <MoveMenu task={task}>
        <MenuButton aria-label={`Move ${task.title}`} tabIndex={inTabOrder ? 0 : -1} />
      </MoveMenu>
    </Suspense>
  )
}

// Transparent colour, not opacity: opacity would make each card a layer that slows down scrolling.
const MenuButton = ({ busy, ...props }: ComponentProps<'button'> & { busy?: boolean }) => (
  <button
    type="button"
    aria-haspopup="menu"
    aria-busy={busy}
    className="absolute top-2 right-1.5 size-7 rounded-card font-strong text-transparent tracking-widest pointed:bg-surface pointed:text-quiet data-[state=open]:bg-surface data-[state=open]:text-quiet pointer-coarse:text-quiet hover:bg-hover hover:text-text"
    {...props}
  >
    ···
  </button>
)
