import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { PageTitle } from '../../time/timers/page/PageTitle'
import { isOperatorPart, type OperatorPart } from '../basics'
import { Boards } from './Boards'
import { Invitations } from './Invitations'
import { People } from './People'
import { ServerState } from './ServerState'

/** For whoever runs the server. */
export function OperatorPage() {
  const { part = 'people' } = useSearch({ from: '/operator' })
  const navigate = useNavigate({ from: '/operator' })
  const show = (name: string) => void navigate({ search: isOperatorPart(name) ? { part: name } : {}, replace: true })
  return (
    <div className="flex flex-1 flex-col overflow-y-auto p-4 sm:p-8">
      <PageTitle>Operator</PageTitle>
      <Tabs.Root value={part} onValueChange={show} className="mx-auto flex w-full max-w-4xl flex-col gap-4">
        <header className="flex flex-col gap-1">
          <h1 className="font-strong text-title">Operator</h1>
          <p className="text-pretty text-quiet">
            Who is on this server, and what fails on it. You see the names of boards, and nothing of what is on them.
          </p>
        </header>
        <Tabs.List
          aria-label="What there is to operate"
          className="-mx-4 flex shrink-0 gap-5 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
        >
          <Tab value="people">People</Tab>
          <Tab value="boards">Boards</Tab>
          <Tab value="invitations">Invitations</Tab>
          <Tab value="server">Server</Tab>
        </Tabs.List>
        <div className="rounded-panel bg-surface p-5 shadow-card sm:p-8">
          <Tabs.Content value="people">
            <People />
          </Tabs.Content>
          <Tabs.Content value="boards">
            <Boards />
          </Tabs.Content>
          <Tabs.Content value="invitations">
            <Invitations />
          </Tabs.Content>
          <Tabs.Content value="server">
            <ServerState />
          </Tabs.Content>
        </div>
      </Tabs.Root>
    </div>
  )
}

const Tab = ({ value, children }: { value: OperatorPart | 'people'; children: string }) => (
  <Tabs.Trigger
    value={value}
    className="min-h-10 shrink-0 border-transparent border-b-2 font-strong text-quiet hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-text data-[state=active]:text-text"
  >
    {children}
  </Tabs.Trigger>
)
