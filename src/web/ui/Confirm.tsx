import type { ComponentProps } from 'react'
import { lazyComponent } from '../lazy'
import { useEver } from '../useEver'
import { Opening } from './Opening'

const ConfirmDialog = lazyComponent(() => import('./ConfirmDialog').then((module) => module.ConfirmDialog))

export function Confirm(props: ComponentProps<typeof ConfirmDialog>) {
  if (!useEver(props.open)) return null
  return <ConfirmDialog fallback={props.open && <Opening />} {...props} />
}
