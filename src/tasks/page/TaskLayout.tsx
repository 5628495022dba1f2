import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { SCROLLING } from '../../web/ui/Dialog'
import { useMedia, WIDE } from '../../web/useMedia'

type Parts = { title: ReactNode; details: ReactNode; conversation: ReactNode; information: ReactNode }

/** Panels side by side on a wide screen. The parts keep their state when the width changes. */
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
    <div className="panel mr-6 mb-6 w-84 shrink-0 low:mb-3">{information}</div>
  </div>
)

const Narrow = ({ title, details, conversation, information }: Parts) => (
  <div className={`min-h-0 flex-1 ${SCROLLING}`}>
    <div className="grid grid-cols-1 gap-x-8 gap-y-5 md:min-h-full md:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-4 max-md:contents">
        <div className="min-w-0 max-md:order-1">{title}</div>
        <div className="flex min-w-0 flex-1 flex-col gap-6 max-md:contents">
          <div className="flex min-w-0 flex-col gap-6 max-md:order-2">{details}</div>
          <div className="flex min-w-0 flex-1 flex-col gap-6 max-md:order-4">{conversation}</div>
        </div>
      </div>
      {information}
    </div>
  </div>
)

const PANEL = `h-full min-w-0 ${SCROLLING}`

type Props = { first: ReactNode; second: ReactNode }

const EVEN = { facts: 50, conversation: 50 }

function TaskPanels({ first, second }: Props) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: 'task',
    storage: localStorage,
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group defaultLayout={defaultLayout ?? EVEN} onLayoutChanged={onLayoutChanged} className="min-w-0 flex-1">
      <Panel id="facts" defaultSize="50%" minSize="18rem">
        <div className={PANEL}>{first}</div>
      </Panel>
      <Separator
        aria-label="Width of the panels"
        className="w-px bg-line forced-colors:border-l transition-colors duration-150 hover:bg-edge focus-visible:bg-edge data-[separator=active]:bg-edge"
      />
      <Panel id="conversation" defaultSize="50%" minSize="18rem">
        <div className={PANEL}>{second}</div>
      </Panel>
    </Group>
  )
}

/** Keeps `node`'s state when it moves on the page: `content` renders it once, and `place` shows it. */
function useMovable(node: ReactNode) {
  const [host] = useState(() => {
    const element = document.createElement('div')
    element.className = 'contents'
    return element
  })
  return { content: createPortal(node, host), place: <Place host={host} /> }
}

function Place({ host }: { host: HTMLElement }) {
  // Appending it again would lose the focus.
  return <div className="contents" ref={(element) => void (element && host.parentNode !== element && element.append(host))} />
}
