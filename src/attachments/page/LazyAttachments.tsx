import type { ComponentProps } from 'react'
import { lazyComponent } from '../../web/lazy'

const NotLoaded = () => <p className="text-quiet">The attachments could not be loaded. Reload the page to see them.</p>
const Attachments = lazyComponent(() => import('./Attachments').then((module) => module.Attachments), NotLoaded)

export const LazyAttachments = (props: ComponentProps<typeof Attachments>) => (
  <Attachments fallback={<div className="h-14" aria-busy />} {...props} />
)
