import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'

const PANEL = 'h-full min-w-0 overflow-y-auto overscroll-contain px-6 pt-1 pb-6'

type Props = { first: ReactNode; second: ReactNode }

/** Known from the first frame, so that nothing moves. */
const EVEN = { facts: 50, conversation: 50 }

/** The split is remembered. */
export function TaskPanels({ first, second }: Props) {
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
        className="w-px bg-line transition-colors duration-150 hover:bg-edge focus-visible:bg-edge data-[separator=active]:bg-edge"
      />
      <Panel id="conversation" defaultSize="50%" minSize="18rem">
        <div className={PANEL}>{second}</div>
      </Panel>
    </Group>
  )
}
