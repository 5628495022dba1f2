import { Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import { lazyComponent } from '../../web/lazy'
import { Button } from '../../web/ui/Button'
import { useLazyMenu } from '../../web/ui/useLazyMenu'
import type { Board } from '../schema'

const HeaderMenuItems = lazyComponent(() => import('./HeaderMenuItems').then((module) => module.HeaderMenuItems))

export function HeaderMenu({ board, locked }: { board: Board; locked: boolean }) {
  const { opened, button, waiting } = useLazyMenu((props) => <MenuButton {...props} />)
  if (!opened) return button
  return <HeaderMenuItems {...waiting} board={board} locked={locked} MenuButton={MenuButton} />
}

const MenuButton = (props: ComponentProps<'button'>) => (
  <Button look="quiet" size="icon" aria-label="Board menu" title="Board menu" aria-haspopup="menu" {...props}>
    <Ellipsis className="size-4" aria-hidden />
  </Button>
)
