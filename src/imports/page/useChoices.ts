import { useViewer } from '../../auth/page/cache'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type BoardImport, type Choices, choices, type Preview } from '../schema'
import { likelyMe } from './display'

export type Column = Choices['columns'][string]
/** Of lists and people by their names: their numbers change where a file is read in another way. */
type Values = { name: string; closed: boolean; boardPerList: boolean; me: string; [column: `column-${string}`]: Column }

/** What one chose for an import; it outlives a reload, and the way to an upgrade. */
export function useChoices({ id, preview }: BoardImport) {
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
  // A file that is read in another way may have nothing to split.
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
