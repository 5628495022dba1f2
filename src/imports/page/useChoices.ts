import { useViewer } from '../../auth/page/cache'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type BoardImport, type Choices, choices, type Preview } from '../schema'
import { likelyMe } from './display'

export type Column = Choices['columns'][string]
type Values = { name: string; closed: boolean; me: string; [column: `column-${number}`]: Column }

/** What one chose for an import; it outlives a reload, and the way to an upgrade. */
export function useChoices({ id, preview }: BoardImport) {
  const likely = String(likelyMe(useViewer(), preview.people) ?? '')
  const draft = useDraft<Values>(`import-${id}`, { name: preview.name, closed: false, me: likely, ...suggested(preview.lists) })
  const { name, closed, me } = draft.values
  const columnAt = (nth: number) => draft.values[`column-${nth}`] ?? 'todo'
  const columns = Object.fromEntries(preview.lists.map((list, nth) => [list.name, columnAt(nth)]))
  const form = useForm(draft, { schema: choices, input: { name, closed, me: Number(me) || null, columns }, early: 'too long' })
  return { form, columnAt, setColumn: (nth: number, column: Column) => draft.type({ [`column-${nth}`]: column }) }
}

const suggested = (lists: Preview['lists']): Pick<Values, `column-${number}`> =>
  Object.fromEntries(lists.map(({ status }, nth) => [`column-${nth}`, status]))
