import type { ReactNode } from 'react'
import { useMovable } from '../../web/ui/useMovable'
import { useMedia, WIDE } from '../../web/useMedia'
import { TaskPanels } from './TaskPanels'

type Parts = { title: ReactNode; details: ReactNode; conversation: ReactNode; information: ReactNode }

/** Where a screen is wide the parts are panels side by side; they keep their state when its width changes. */
export function TaskLayout(parts: Parts) {
  const title = useMovable(parts.title)
  const details = useMovable(parts.details)
  const conversation = useMovable(parts.conversation)
  const information = useMovable(parts.information)
  const Layout = useMedia(WIDE) ? Wide : Narrow
  return (
    <>
      <Layout title={title.place} details={details.place} conversation={conversation.place} information={information.place} />
      {title.content}
      {details.content}
      {conversation.content}
      {information.content}
    </>
  )
}

const Wide = ({ title, details, conversation, information }: Parts) => (
  <div className="flex min-h-0 flex-1">
    <TaskPanels
      first={
        <div className="flex flex-col gap-6">
          {title}
          {details}
        </div>
      }
      second={conversation}
    />
    <div className="w-66 shrink-0 overflow-y-auto overscroll-contain pr-6 pb-6">{information}</div>
  </div>
)

const Narrow = ({ title, details, conversation, information }: Parts) => (
  <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 sm:px-6 sm:pb-6">
    <div className="grid gap-x-8 gap-y-5 md:grid-cols-[minmax(0,1fr)_15rem]">
      <div className="flex min-w-0 flex-col gap-4 max-md:contents">
        <div className="min-w-0 max-md:order-1">{title}</div>
        <div className="flex min-w-0 flex-col gap-6 max-md:order-3">
          {details}
          {conversation}
        </div>
      </div>
      {information}
    </div>
  </div>
)
