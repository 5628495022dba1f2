import { Link } from '@tanstack/react-router'
import { LayoutList, type LucideIcon, Sparkles, SquareDashed } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { NewBoard } from '../../boards/page/NewBoard'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { failureOf, useMakeExample } from './cache'
import { PasteList } from './PasteList'

/** The ways to a first board. */
export function FirstBoard() {
  const example = useMakeExample()
  const [pasting, setPasting] = useState(false)
  return (
    <>
      <ul className="grid w-full max-w-4xl gap-3 text-left sm:grid-cols-3">
        <Way Icon={SquareDashed} title="Start empty" text="Give it a name. Tasks come one by one.">
          <NewBoard>
            {(open) => (
              <Button look="primary" onClick={open}>
                Create Board
              </Button>
            )}
          </NewBoard>
        </Way>
        <Way Icon={Sparkles} title="With an example" text="Six tasks to try things on, due around today.">
          <Button busy={example.isPending} onClick={() => example.mutate(undefined)}>
            Make an Example
          </Button>
        </Way>
        <Way Icon={LayoutList} title="Paste a list" text="From notes or a mail: each line becomes a task.">
          <Button onClick={() => setPasting(true)}>Paste a List</Button>
        </Way>
      </ul>
      <p className="text-quiet">
        Or{' '}
        <Link to="/import" className="rounded-card font-strong text-text underline underline-offset-4">
          import a board
        </Link>{' '}
        from Trello, Planka, WeKan, a CSV or an archive of wrk.
      </p>
      {example.isError && (
        <p role="alert" className="max-w-[60ch] text-pretty text-danger">
          {failureOf(example.error)}
        </p>
      )}
      <Dialog open={pasting} onOpenChange={setPasting} title="Paste a List" keep>
        <PasteList onDone={() => setPasting(false)} />
      </Dialog>
    </>
  )
}

type WayProps = { Icon: LucideIcon; title: string; text: string; children: ReactNode }

const Way = ({ Icon, title, text, children }: WayProps) => (
  <li className="flex flex-col items-start gap-4 rounded-card bg-surface p-5 shadow-card">
    <Icon className="size-5 text-quiet" aria-hidden />
    <div className="flex flex-1 flex-col gap-1">
      <h3 className="font-strong">{title}</h3>
      <p className="text-pretty text-quiet">{text}</p>
    </div>
    {children}
  </li>
)
