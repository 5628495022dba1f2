import { useState } from 'react'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { Section } from '../../web/ui/Section'
import { type BoardImport, type ImportSource, SOURCES } from '../schema'
import { DropArea } from './DropArea'
import { PlankaForm } from './PlankaForm'

/** Where each program keeps its export. */
const WHERE: Record<ImportSource, string> = {
  trello: 'The board’s menu → Print, and share → Export as JSON',
  planka: 'By its address and an API key, which an administrator makes under Administration → Users → API Key',
  wekan: 'Board Settings → Export → Export board to JSON',
  toggl: 'Reports → Detailed → Export → CSV',
  clockify: 'Reports → Detailed → Export → Save as CSV',
  harvest: 'Reports → Detailed Time → Export → CSV',
  csv: 'From any spreadsheet: the first line names the columns, such as Title, Status, Due date, Tags',
  wrk: 'The board’s menu → Export Board, as its creator; all of it comes back',
}

const ORDER = ['trello', 'planka', 'wekan', 'toggl', 'clockify', 'harvest', 'csv', 'wrk'] as const

/** All that can be imported, and where one finds it. */
export function WaysIn({ onRead }: { onRead(made: BoardImport): void }) {
  const [asksPlanka, setAsksPlanka] = useState(false)
  return (
    <>
      <DropArea onRead={onRead} />
      <Section title="What can be imported" text="You see what would come, and what would not, before anything is written.">
        <ul className="flex flex-col divide-y divide-line" aria-label="What can be imported">
          {ORDER.map((source) => (
            <li key={source} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <span className="w-28 shrink-0 font-strong">{SOURCES[source]}</span>
              <span className="min-w-0 flex-1 basis-60 text-pretty text-quiet">{WHERE[source]}</span>
              {source === 'planka' && (
                <Button size="small" onClick={() => setAsksPlanka(true)}>
                  Connect to Planka
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <Dialog
        open={asksPlanka}
        onOpenChange={setAsksPlanka}
        title="Import from Planka"
        description="The key is used to read the board, and kept nowhere."
        keep
      >
        <PlankaForm
          onRead={(made) => {
            setAsksPlanka(false)
            onRead(made)
          }}
        />
      </Dialog>
    </>
  )
}
