import type { ComponentProps } from 'react'
import { useEver } from '../useEver'
import { lazyOverlay } from './lazyOverlay'

const ConfirmDialog = lazyOverlay(() => import('./ConfirmDialog').then((module) => module.ConfirmDialog))

export function Confirm(props: ComponentProps<typeof ConfirmDialog>) {
  return useEver(props.open) && <ConfirmDialog {...props} />
}
