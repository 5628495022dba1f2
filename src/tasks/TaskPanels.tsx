import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'

type Props = { first: ReactNode; second: ReactNode }

const LOOK = 'h-full overflow-y-auto overscroll-contain px-6 pt-1 pb-6'

/** Two panels side by side, of the same width at first (board-page.md, section 2); where they part is remembered. */
export function TaskPanels({ first, second }: Props) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: 'task',
    storage: localStorage,
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group defaultLayout={defaultLayout} onLayoutChanged={onLayoutChanged} className="min-w-0 flex-1">
      <Panel id="facts" defaultSize="50" minSize="18rem">
        <div className={LOOK}>{first}</div>
      </Panel>
      <Separator
        aria-label="Width of the panels"
        className="w-px bg-line transition-colors duration-150 hover:bg-edge focus-visible:bg-edge data-[separator=active]:bg-edge"
      />
      <Panel id="conversation" defaultSize="50" minSize="18rem">
        <div className={LOOK}>{second}</div>
      </Panel>
    </Group>
  )
}
