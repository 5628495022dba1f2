import type { ComponentProps } from 'react'
import { lazyComponent } from '../lazy'
import { useEver } from '../useEver'

const Dialog = lazyComponent(() => import('./Dialog').then((module) => module.Dialog))

/** A dialog of what is on the first screen, which none is open on. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  const wasOpened = useEver(props.open)
  return wasOpened && <Dialog {...props} />
}
