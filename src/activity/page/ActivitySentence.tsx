import { Fragment, type ReactElement, type ReactNode } from 'react'
import type { ActivityEvent } from '../../boards/activity'
import { calendarDay, durationText } from '../../format'
import { type ImportSource, SOURCES } from '../../imports/limits'
import { STATUS_LABELS } from '../../tasks/limits'
import { displayName, type UserSummary } from '../../users/schema'
import type { Activity } from '../schema'

export type Line = readonly [Activity, ...Activity[]]

type Props = {
  line: Line
  task: ReactNode
  known(user: UserSummary): UserSummary
}

/** The return type demands a sentence for each kind. */
export function ActivitySentence({ line, task, known }: Props): ReactElement {
  const [newest] = line
  const oldest = line.at(-1) ?? newest
  const people = <People line={line} known={known} />
  switch (newest.kind) {
    case 'created':
      return <>created {task}</>
    case 'moved': {
      const { from } = oldest.kind === 'moved' ? oldest.detail : newest.detail
      const to = STATUS_LABELS[newest.detail.to]
      return from === newest.detail.to ? (
        <>
          moved {task}, then moved it back to {to}
        </>
      ) : (
        <>
          moved {task} from {STATUS_LABELS[from]} to {to}
        </>
      )
    }
    case 'renamed':
    case 'board_renamed': {
      const { from } = oldest.kind === newest.kind ? oldest.detail : newest.detail
      const what = newest.kind === 'renamed' ? task : 'the board'
      if (from === newest.detail.to) return <>renamed {what}, then undid it</>
      return (
        <>
          renamed {what} from <Quoted text={from} />
        </>
      )
    }
    case 'described':
      return <>changed the description of {task}</>
    case 'due':
      if (newest.detail.to === null) return <>removed the due date from {task}</>
      return (
        <>
          set the due date of {task} to {calendarDay(newest.detail.to)}
        </>
      )
    case 'tagged':
      return <Tagged line={line} task={task} />
    case 'assigned':
      return (
        <>
          assigned {people} to {task}
        </>
      )
    case 'unassigned':
      return (
        <>
          unassigned {people} from {task}
        </>
      )
    case 'commented':
      return (
        <>
          commented on {task}
          {line.length > 1 && ` ${line.length} times`}
        </>
      )
    case 'file': {
      const names = line.flatMap(({ kind, detail }) => (kind === 'file' ? [detail.name] : []))
      return (
        <>
          {newest.detail.did} <Texts of={names} /> {newest.detail.did === 'added' ? 'to' : 'from'} {task}
        </>
      )
    }
    case 'time': {
      const all = line.reduce((sum, { kind, detail }) => sum + (kind === 'time' ? detail.minutes : 0), 0)
      if (newest.detail.did === 'logged')
        return (
          <>
            logged {durationText(all)} on {task}
          </>
        )
      if (newest.detail.did === 'removed')
        return (
          <>
            removed {durationText(all)} from {task}
          </>
        )
      return (
        <>
          changed the time on {task} to {durationText(newest.detail.minutes)}
        </>
      )
    }
    case 'deleted':
      return <>deleted {task}</>
    case 'restored':
      return <>restored {task}</>
    case 'board_created':
      return <>created the board</>
    case 'board_imported':
      return <>imported the board from {importedFrom(newest.detail.source)}</>
    case 'board_restored':
      return <>restored the board</>
    case 'board_described':
      return <>changed the board’s description</>
    case 'member_added':
      return <>added {people} to the board</>
    case 'member_joined':
      return <>joined the board by invitation</>
    case 'member_removed':
      return <>removed {people} from the board</>
    case 'member_left':
      return <>left the board</>
    case 'name_accepted':
      return <>claimed their imported work</>
  }
}

const SHORT: Record<ActivityEvent['kind'], string> & { [later: string]: string | undefined } = {
  created: 'added a task',
  moved: 'moved a task',
  renamed: 'renamed a task',
  described: 'changed a description',
  due: 'changed a due date',
  tagged: 'changed tags',
  assigned: 'assigned a task',
  unassigned: 'unassigned a task',
  commented: 'commented',
  file: 'changed files',
  'file added': 'added a file',
  'file removed': 'removed a file',
  time: 'logged time',
  'time changed': 'changed logged time',
  'time removed': 'removed logged time',
  deleted: 'deleted a task',
  restored: 'restored a task',
  board_created: 'created the board',
  board_imported: 'imported the board',
  board_restored: 'restored the board',
  board_renamed: 'renamed the board',
  board_described: 'changed the board’s description',
  member_added: 'added a member',
  member_joined: 'joined',
  member_removed: 'removed a member',
  member_left: 'left',
  name_accepted: 'claimed imported work',
}

/** Without the task, for the dashboard: "moved a task". */
export const shortSentence = ({ kind, did }: { kind: string; did: string | null }): string =>
  SHORT[`${kind} ${did}`] ?? SHORT[kind] ?? 'changed something'

const isSource = (source: string): source is ImportSource => Object.hasOwn(SOURCES, source)

function importedFrom(source: string): string {
  if (source === 'csv') return 'a CSV file'
  if (source === 'wrk') return 'a wrk archive'
  return isSource(source) ? SOURCES[source] : source
}

function People({ line, known }: Pick<Props, 'line' | 'known'>) {
  const names = line.toReversed().map(({ whom }) => (whom ? displayName(known(whom)) : 'a former member'))
  return <Listed of={[...new Set(names)].map((name) => [name, <bdi key={name}>{name}</bdi>])} />
}

function Tagged({ line, task }: Pick<Props, 'line' | 'task'>) {
  const { added, removed } = tagsOfLine(line)
  if (added.length + removed.length === 0) return <>changed the tags on {task}, then undid it</>
  return (
    <>
      {added.length > 0 && (
        <>
          tagged {task} with <Texts of={added} />
        </>
      )}
      {added.length > 0 && removed.length > 0 && ' and '}
      {removed.length > 0 && (
        <>
          removed the {removed.length === 1 ? 'tag' : 'tags'} <Texts of={removed} />
          {added.length === 0 && <> from {task}</>}
        </>
      )}
    </>
  )
}

export const Quoted = ({ text }: { text: string }) => <bdi className="break-words">“{text}”</bdi>

const Texts = ({ of }: { of: string[] }) => (
  <Listed of={[...new Set(of)].map((text) => [text, <Quoted key={text} text={text} />])} />
)

const SHOWN = 3

function Listed({ of }: { of: (readonly [string, ReactNode])[] }) {
  const more = of.length - SHOWN
  const shown = more > 0 ? [...of.slice(0, SHOWN), [String(more), `${more} more`] as const] : of
  return shown.map(([key, item], n) => (
    <Fragment key={key}>
      {n > 0 && (n === shown.length - 1 ? ' and ' : ', ')}
      {item}
    </Fragment>
  ))
}

export function tagsOfLine(line: Line): { added: string[]; removed: string[] } {
  const net = new Map<string, number>()
  const count = (tags: string[], by: number) => {
    for (const tag of tags) net.set(tag, (net.get(tag) ?? 0) + by)
  }
  for (const { kind, detail } of line) {
    if (kind !== 'tagged') continue
    count(detail.added, 1)
    count(detail.removed, -1)
  }
  const where = (by: number) => [...net].filter(([, n]) => n === by).map(([tag]) => tag)
  return { added: where(1), removed: where(-1) }
}
