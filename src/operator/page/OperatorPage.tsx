import { useNavigate, useSearch } from '@tanstack/react-router'
import * as Tabs from 'radix-ui/tabs'
import { useServerOptions } from '../../auth/page/cache'
import { PageTitle } from '../../time/page/HeaderTimer'
import { useViewer } from '../../users/page/viewer'
import { NoSuchPage } from '../../web/ui/NotFound'
import { Tab, TabList } from '../../web/ui/Tabs'
import { Boards, Invitations } from './Boards'
import { People } from './People'
import { ServerState } from './ServerState'

/** Other users do not learn that this page exists, unless the server has no operator yet. */
export function OperatorPage() {
  const { operator } = useViewer()
  const missing = useServerOptions()?.missingOperator
  if (operator) return <Panels />
  return missing ? <NoOperator by={missing} /> : <NoSuchPage />
}

const FIRST = 'people'
const TABS = [FIRST, 'boards', 'invitations', 'server']

function Panels() {
  const { part = FIRST } = useSearch({ from: '/operator' })
  const navigate = useNavigate({ from: '/operator' })
  const show = (name: string) => void navigate({ search: name === FIRST ? {} : { part: name }, replace: true })
  return (
    <div className="flex flex-1 flex-col overflow-y-auto p-4 sm:p-8">
      <PageTitle>Operator</PageTitle>
      <Tabs.Root
        value={TABS.includes(part) ? part : FIRST}
        onValueChange={show}
        className="mx-auto flex w-full max-w-4xl flex-col gap-4"
      >
        <header className="flex flex-col gap-1">
          <h1 className="font-strong">Operator</h1>
          <p className="text-pretty text-quiet">
            People, boards and server health. You can see board names, but not what is on the boards.
          </p>
        </header>
        <TabList label="Operator sections">
          <Tab value="people">People</Tab>
          <Tab value="boards">Boards</Tab>
          <Tab value="invitations">Invitations</Tab>
          <Tab value="server">Server</Tab>
        </TabList>
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

const HOW_TO_BECOME = {
  link: 'Open the setup link in the server’s log. On the server, “wrk setup” prints another.',
  email:
    'Create an account with the email in OPERATOR_EMAIL, or request a sign-in link for that address. Then open the link we email you.',
}

const NoOperator = ({ by }: { by: keyof typeof HOW_TO_BECOME }) => (
  <div className="flex flex-1 flex-col gap-3 overflow-y-auto p-4 sm:p-8">
    <PageTitle>Operator</PageTitle>
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-1">
      <h1 className="font-strong">This server has no operator yet</h1>
      <p className="max-w-[60ch] text-pretty text-quiet">{HOW_TO_BECOME[by]}</p>
    </div>
  </div>
)
