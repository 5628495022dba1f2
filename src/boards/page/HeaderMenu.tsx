import { Ellipsis } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { lazyComponent } from '../../web/lazy'
import { Button } from '../../web/ui/Button'
import { Opening } from '../../web/ui/Opening'
import { useEver } from '../../web/useEver'
import type { Board } from '../schema'

const HeaderMenuItems = lazyComponent(() => import('./HeaderMenuItems').then((module) => module.HeaderMenuItems))

export function HeaderMenu({ board, locked }: { board: Board; locked: boolean }) {
  const [opened, setOpened] = useState(false)
  // Where it did not open, its button, which is another one then, has the focus again.
  const wasOpened = useEver(opened)
  const button = <MenuButton aria-busy={opened} autoFocus={wasOpened} onClick={() => setOpened(true)} />
  if (!opened) return button
  const close = () => setOpened(false)
  const opening = (
    <>
      {button}
      <Opening onClose={close} />
    </>
  )
  return <HeaderMenuItems fallback={opening} onLost={close} board={board} locked={locked} MenuButton={MenuButton} />
}

const MenuButton = (props: ComponentProps<'button'>) => (
  <Button look="quiet" size="icon" aria-label="Board menu" title="Board menu" aria-haspopup="menu" {...props}>
    <Ellipsis className="size-4" aria-hidden />
  </Button>
)
