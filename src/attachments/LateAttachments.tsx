import { type ComponentProps, lazy, Suspense } from 'react'

const Attachments = lazy(() =>
  import('./Attachments').then(
    (loaded) => ({ default: loaded.Attachments }),
    () => ({ default: NotLoaded }),
  ),
)

const NotLoaded = () => <p className="text-quiet">The attachments could not be loaded. Reload the page to see them.</p>

/** The attachments of a task; their code comes when the first task is opened. */
export const LateAttachments = (props: ComponentProps<typeof Attachments>) => (
  <Suspense fallback={<div className="h-14" aria-busy />}>
    <Attachments {...props} />
  </Suspense>
)
