import type { ComponentType } from 'react'
import { type Closable, lazyComponent } from '../lazy'
import { Opening } from './Opening'

type Opened = Closable & { open?: boolean }

/** A lazy component that lies over the page: until it has loaded, the page says that it comes, and is covered already. */
export function lazyOverlay<Props extends Opened>(
  load: () => Promise<ComponentType<Props>>,
  isOpen = ({ open = true }: Props) => open,
) {
  const Lazy = lazyComponent(load)
  function LazyOverlay(props: Props) {
    const { onOpenChange, onClose } = props
    const close = () => {
      onOpenChange?.(false)
      onClose?.()
    }
    return <Lazy fallback={isOpen(props) && <Opening onClose={close} />} {...props} />
  }
  return Object.assign(LazyOverlay, { load: Lazy.load, isLoaded: Lazy.isLoaded })
}
