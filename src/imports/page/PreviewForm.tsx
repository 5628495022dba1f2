import { useState } from 'react'
import { UpgradeDialog } from '../../billing/page/Upgrade'
import { PlanIsFull } from '../../boards/page/NewBoard'
import { countText } from '../../format'
import { displayName } from '../../users/limits'
import { useViewer } from '../../users/page/viewer'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { Section } from '../../web/ui/Section'
import { Switch } from '../../web/ui/Switch'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type BoardImport, choices, type Preview } from '../schema'
import { useIsRereading, useRemoveImport, useStartImport } from './cache'
import type { Column } from './PreviewLists'
import { Counts, countsWith, ListColumns, Losses, People } from './PreviewLists'
import { TableReading } from './TableReading'

type Props = { one: BoardImport; onDiscarded(): void }

export function PreviewForm({ one, onDiscarded }: Props) {
  const { preview, state } = one
  const [offersPro, setOffersPro] = useState(false)
  const { form, maySplit, boardPerList, columnAt, setColumn, me, setMe } = useChoices(one)
  const listWord = preview.table?.kind === 'hours' ? preview.table.listedBy : 'list'
  const isReading = useIsRereading(one.id)
  const start = useStartImport(one.id, () => setOffersPro(true))
  const discard = useRemoveImport('Import Discarded')
  const remove = () =>
    discard.mutate(one, {
      onSuccess: () => {
        form.discard()
        onDiscarded()
      },
    })
  return (
    <form noValidate className="flex flex-col gap-6" onSubmit={form.submit((given) => start.mutate(given))}>
      <PlanIsFull> to import this one too. Your file and your choices are kept.</PlanIsFull>
      <Counts counts={countsWith(preview.counts, form.values.closed === true)} />
      {maySplit && preview.table && (
        <Switch
          label={`One board for each ${listWord}`}
          text={`Otherwise, all ${countText(preview.lists.length, listWord)} go on one board.`}
          on={boardPerList}
          onChange={(boardPerList) => form.type({ boardPerList })}
        />
      )}
      {!boardPerList && (
        <Field label="Board Name" error={form.errors.name}>
          {(tied) => <Input {...tied} {...form.text('name')} readOnly={start.isPending} autoComplete="off" />}
        </Field>
      )}
      {preview.lists.length > 0 && (
        <Section {...LISTS[listWord]}>
          <ListColumns lists={preview.lists} columnAt={columnAt} onChoose={setColumn} />
        </Section>
      )}
      {preview.table && <TableReading importId={one.id} table={preview.table} />}
      {preview.counts.closed > 0 && (
        <Section title="Closed cards">
          <Switch
            label="Import them too"
            text={`${countText(preview.counts.closed, 'closed or archived card is', 'closed or archived cards are')} left out unless you turn this on.`}
            on={form.values.closed === true}
            onChange={(closed) => form.type({ closed })}
          />
        </Section>
      )}
      {preview.people.length > 0 && (
        <Section title="People" text={preview.people.some(({ email }) => email) ? PEOPLE : NAMES}>
          <People people={preview.people} me={me} onMe={setMe} />
        </Section>
      )}
      <Section title="What will change" text={preview.losses.length === 0 ? 'Nothing. Everything is imported as is.' : DIFFERENT}>
        {preview.losses.length > 0 && <Losses losses={preview.losses} label="What will change" />}
      </Section>
      <footer className="page-foot sticky -bottom-8 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-2 rounded-b-panel border-line border-t bg-surface px-5 py-3 sm:-mx-8 sm:-mb-8 sm:px-8">
        <Button look="quiet" busy={discard.isPending} disabled={start.isPending} onClick={remove}>
          Discard
        </Button>
        <Button type="submit" look="primary" busy={start.isPending} disabled={discard.isPending || isReading}>
          {state === 'failed' ? 'Try again' : 'Import'}
        </Button>
      </footer>
      {offersPro && <UpgradeDialog open onOpenChange={setOffersPro} />}
    </form>
  )
}

const DIFFERENT = 'Left out or changed:'
const PEOPLE =
  'Everyone but you is imported by name only, without an account. Invite people so they can claim their work. If a name has no email, ask a member whether it’s theirs.'
const NAMES =
  'This import has no emails, so everyone but you is imported by name only. On the board, you can ask a member whether a name is theirs.'
const columnsText = (listWord: string) =>
  `A board has three columns. Each ${listWord} goes to one of them, and its name becomes a tag.`
const LISTS = {
  list: { title: 'Lists', text: `${columnsText('list')} Anything marked done goes to Done.` },
  project: { title: 'Projects', text: columnsText('project') },
  client: { title: 'Clients', text: columnsText('client') },
}

/** Lists and people by name: their numbers change if the file is read differently. */
type Values = { name: string; closed: boolean; boardPerList: boolean; me: string; [column: `column-${string}`]: Column }

/** The user's choices, which survive a reload and a detour to upgrade. */
function useChoices({ id, preview }: BoardImport) {
  const { lists, people } = preview
  const likely = likelyMe(useViewer(), people)
  const keys = personKeys(people)
  const keyOf = (id: number | undefined) => keys[people.findIndex((person) => person.id === id)] ?? ''
  const draft = useDraft<Values>(`import-${id}`, {
    name: preview.name,
    closed: false,
    boardPerList: false,
    me: keyOf(likely),
    ...suggested(lists),
  })
  const { name, closed, me } = draft.values
  // Read differently, a file may have nothing to split.
  const maySplit = Boolean(preview.table) && lists.length > 1
  const boardPerList = maySplit && draft.values.boardPerList
  const columnAt = (nth: number) => draft.values[`column-${lists[nth]?.name}`] ?? 'todo'
  const columns = Object.fromEntries(lists.map((list, nth) => [list.name, columnAt(nth)]))
  const own = people[keys.indexOf(me)]
  const form = useForm(draft, {
    schema: choices,
    input: { name: boardPerList ? preview.name : name, closed, boardPerList, me: own?.id ?? null, columns },
    early: 'too long',
  })
  return {
    form,
    maySplit,
    boardPerList,
    columnAt,
    setColumn: (nth: number, column: Column) => draft.type({ [`column-${lists[nth]?.name}`]: column }),
    me: String(own?.id ?? ''),
    setMe: (id: string) => draft.type({ me: keyOf(Number(id)) }),
  }
}

/** Namesakes without an email are told apart by their order. */
const personKeys = (people: Preview['people']): string[] => {
  const counts = new Map<string, number>()
  return people.map(({ name, email }) => {
    const key = JSON.stringify([name, email])
    const nth = counts.get(key) ?? 0
    counts.set(key, nth + 1)
    return nth === 0 ? key : `${key} ${nth}`
  })
}

const suggested = (lists: Preview['lists']): Pick<Values, `column-${string}`> =>
  Object.fromEntries(lists.map(({ name, status }) => [`column-${name}`, status]))

/** The person with the proven address of the viewer, or else the only one with their name. */
export function likelyMe(viewer: { name: string | null; username: string }, people: Preview['people']): number | undefined {
  const matched = people.find(({ isMe }) => isMe)
  if (matched) return matched.id
  const [one, ...others] = people.filter(({ name }) => name === displayName(viewer))
  return others.length === 0 ? one?.id : undefined
}
