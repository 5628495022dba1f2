import * as Tabs from 'radix-ui/tabs'
import type { ReactNode } from 'react'

/** Above a page's panels; on a phone the last tabs scroll into view on focus. */
export const TabList = ({ label, children }: { label: string; children: ReactNode }) => (
  <Tabs.List
    aria-label={label}
    className="-mx-4 flex shrink-0 gap-3 scroll-px-4 overflow-x-auto border-line border-b px-4 max-sm:pr-6 [scrollbar-width:none] max-sm:mask-l-from-[calc(100%-1rem)] max-sm:mask-r-from-[calc(100%-1.5rem)] sm:mx-0 sm:px-0"
  >
    {children}
  </Tabs.List>
)

export const Tab = ({ value, children }: { value: string; children: string }) => (
  <Tabs.Trigger
    ref={(tab) => void comeIntoSight(tab)}
    value={value}
    className="min-h-10 shrink-0 border-transparent border-b-2 px-1 font-strong text-quiet hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-text data-[state=active]:text-text"
  >
    {children}
  </Tabs.Trigger>
)

/** The address may name a tab that is out of view. */
const comeIntoSight = (tab: HTMLElement | null) =>
  tab?.dataset.state === 'active' && tab.scrollIntoView({ block: 'nearest', inline: 'nearest' })
