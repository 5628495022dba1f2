import { type ComponentProps, type ReactNode, useState } from 'react'
import { useEver } from '../useEver'
import { Opening } from './Opening'

/** For a menu whose code loads once its button was pressed: `waiting` is what the lazy menu gets until then. */
export function useLazyMenu(buttonWith: (props: ComponentProps<'button'>) => ReactNode) {
  const [opened, setOpened] = useState(false)
  // Where the menu did not open, its button is a new element, and has the focus again.
  const autoFocus = useEver(opened)
  const close = () => setOpened(false)
  const button = buttonWith({ 'aria-busy': opened, autoFocus, onClick: () => setOpened(true) })
  const fallback = (
    <>
      {button}
      <Opening onClose={close} />
    </>
  )
  return { opened, button, waiting: { fallback, onLost: close } }
}
