import { useState } from 'react'
import { countText } from '../../format'
import { STATUS_LABELS } from '../../tasks/limits'
import { reasonOr } from '../../web/refusal'
import { Field } from '../../web/ui/Field'
import { Section } from '../../web/ui/Section'
import {
  type ColumnField,
  ENCODINGS,
  HOUR_COLUMNS,
  type Reading,
  type ReadTable,
  SINGLE_HOUR_COLUMNS,
  SINGLE_TASK_COLUMNS,
  type StatusChoice,
  TASK_COLUMNS,
} from '../schema'
import { useReread } from './cache'
import { Choice, FoldedList, Options } from './PreviewLists'

/** The meaning of each column and status of a CSV; each choice reads the file again. */
export function TableReading({ importId, table }: { importId: number; table: ReadTable }) {
  const reread = useReread(importId)
  const [wanted, setWanted] = useState<Reading>()
  const shown = { ...readingOf(table), ...wanted }
  const fields = fieldsOf(shown.kind)
  const fieldAt = (nth: number): ColumnField => {
    const field = (wanted ? wanted.columns : shown.columns)?.[nth] ?? table.columns[nth]?.field
    return fields.find((known) => known === field) ?? noField(shown.kind)
  }
  /** The control changed last: a refusal shows beside it. */
  const [changed, setChanged] = useState('')
  const change = (control: string, changes: Reading) => {
    const reading = { ...shown, ...changes }
    setChanged(control)
    setWanted(reading)
    reread.mutate(reading, { onSuccess: () => setWanted(undefined) })
  }
  const chooseField = (nth: number, field: ColumnField) =>
    change(`column ${nth}`, {
      columns: table.columns.map((_, at) =>
        at === nth ? field : ONLY_ONE.includes(field) && fieldAt(at) === field ? noField(shown.kind) : fieldAt(at),
      ),
    })
  const problem = reread.isError && (
    <p role="alert" className="wrap-anywhere text-pretty text-danger">
      {reasonOr(reread.error, 'The file could not be read again. Please try again.')} The preview has not changed.
    </p>
  )
  const problemOf = (control: string) => changed === control && problem
  return (
    <>
      {table.statuses.length > 0 && (
        <Section
          title="Statuses"
          text="Tasks in this file have a status as well as a list. Choose a column for each status, or keep its tasks in their list’s column."
        >
          <FoldedList of={table.statuses} label="Statuses">
            {({ name, tasks, status }) => (
              <Choice
                key={name}
                name={name}
                text={countText(tasks, 'task')}
                label={`Column for the status ${name}`}
                labels={STATUS_CHOICES}
                value={shown.statuses?.[name] ?? status}
                problem={problemOf(`status ${name}`)}
                onChoose={(chosen) => change(`status ${name}`, { statuses: { ...shown.statuses, [name]: chosen } })}
              />
            )}
          </FoldedList>
        </Section>
      )}
      <Section title="Columns in the file" text={HOLDS}>
        <div className="flex flex-wrap gap-x-6 gap-y-4 max-sm:*:grow">
          <Named
            label="Each row is"
            labels={KINDS}
            value={shown.kind}
            onChoose={(kind) => change(TABLE, { kind, columns: undefined })}
          />
          {shown.kind === 'hours' && (
            <Named
              label="Lists are"
              labels={LISTED_BY}
              value={shown.listedBy}
              onChoose={(listedBy) => change(TABLE, { listedBy })}
            />
          )}
          <Named
            label="Encoding"
            labels={ENCODINGS}
            value={shown.encoding}
            onChoose={(encoding) => change(TABLE, { encoding, columns: undefined })}
          />
        </div>
        {problemOf(TABLE)}
        <FoldedList of={table.columns} label="Columns in the file">
          {({ name, examples }, nth) => (
            <Choice
              key={nth}
              name={name}
              text={examples.join(' · ')}
              label={`Contents of ${name}`}
              labels={labelsOf(fields)}
              value={fieldAt(nth)}
              problem={problemOf(`column ${nth}`)}
              onChoose={(field) => chooseField(nth, field)}
            />
          )}
        </FoldedList>
        <p role="status" className="text-quiet empty:hidden">
          {reread.isPending && 'Reading the file again…'}
        </p>
      </Section>
    </>
  )
}

const readingOf = ({ kind, encoding, listedBy, columns, statuses }: ReadTable) => ({
  kind,
  encoding,
  listedBy,
  columns: columns.map(({ field }) => field),
  statuses: Object.fromEntries(statuses.map(({ name, status }) => [name, status])) as Record<string, StatusChoice>,
})

const TABLE = 'table'
const HOLDS = 'We guessed each column from its name. Change any that are wrong.'

const Named = <Value extends string>({ label, ...options }: Options<Value> & { label: string }) => (
  <Field label={label}>{(tied) => <Options {...tied} {...options} className="w-full sm:w-56" />}</Field>
)

const ONLY_ONE: ColumnField[] = [...SINGLE_TASK_COLUMNS, ...SINGLE_HOUR_COLUMNS]
const noField = (kind: ReadTable['kind']): ColumnField => (kind === 'hours' ? 'leave' : 'line')

const fieldsOf = (kind: ReadTable['kind']): ColumnField[] =>
  kind === 'hours' ? [...HOUR_COLUMNS, 'leave'] : [...TASK_COLUMNS, 'line', 'leave']
const labelsOf = (fields: ColumnField[]) => Object.fromEntries(fields.map((field) => [field, FIELD_LABELS[field]]))

const FIELD_LABELS: Record<ColumnField, string> = {
  title: 'Title',
  description: 'Description',
  list: 'List',
  state: 'Status',
  due: 'Due date',
  tags: 'Tags',
  assignee: 'Assignees',
  email: 'Email address',
  author: 'Created by',
  created: 'Created on',
  updated: 'Updated on',
  completed: 'Completed on',
  archived: 'Archived on',
  comments: 'Comments',
  attachments: 'Attachments',
  type: 'Row type',
  indent: 'Indent level',
  line: 'In description',
  leave: 'Leave out',
  project: 'Project',
  client: 'Client',
  task: 'Task',
  note: 'Note',
  user: 'Person',
  billable: 'Billable',
  startDate: 'Start date',
  startTime: 'Start time',
  endDate: 'End date',
  endTime: 'End time',
  duration: 'Duration',
  decimal: 'Duration (decimal)',
  minutes: 'Duration (minutes)',
  dayHours: 'Hours that day',
}

const KINDS = { tasks: 'A task', hours: 'A time entry' }
const LISTED_BY = { project: 'Projects', client: 'Clients' }
const STATUS_CHOICES: Record<StatusChoice, string> = { list: 'Same as the list', ...STATUS_LABELS }
