import type { ComponentProps } from 'react'
import { lazyComponent } from '../lazy'
import { useEver } from '../useEver'

const ConfirmDialog = lazyComponent(() => import('./ConfirmDialog').then((module) => module.ConfirmDialog))

export function Confirm(props: ComponentProps<typeof ConfirmDialog>) {
  if (!useEver(props.open)) return null
  return <ConfirmDialog {...props} />
}
