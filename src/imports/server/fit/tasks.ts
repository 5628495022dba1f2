import type { BoardRow } from '../../../archive/boardRows'
import { isDay } from '../../../basics'
import { BOARD_QUOTA, TAG_MAX, TAGS_MAX, TASK_TITLE_MAX } from '../../../tasks/basics'
import { TASK_DESCRIPTION_MAX } from '../../../tasks/schema'
import { DESCRIPTIONS_BEYOND, DESCRIPTIONS_CUT } from '../lossKinds'
import { cut, type Note } from './cut'

type Task = BoardRow<'tasks'>

const UNTITLED = 'Untitled'

/** Makes of each task one that a board can have: in their order, for the board's texts have a limit together. */
export function createTaskFitting(note: Note) {
  let bytes = 0
  return (task: Task): Task => {
    const description = fittingDescription(task, note)
    bytes += Buffer.byteLength(description ?? '')
    const isTooMuch = bytes > BOARD_QUOTA.descriptionBytes
    if (isTooMuch && description) note(DESCRIPTIONS_BEYOND, task.title)
    return {
      ...task,
      title: fittingTitle(task, note),
      description: isTooMuch ? null : description,
      tags: fittingTags(task, note),
      dueDate: fittingDay(task, note),
    }
  }
}

function fittingTitle({ title, description }: Task, note: Note): string {
  const trimmed = title.trim()
  if (trimmed === '') note('tasks without a title: called Untitled', description ?? '')
  return cut(trimmed || UNTITLED, TASK_TITLE_MAX)
}

function fittingDescription({ title, description }: Task, note: Note): string | null {
  const isLong = title.trim().length > TASK_TITLE_MAX
  if (isLong) note(`titles over ${TASK_TITLE_MAX} characters: cut, the whole of them begins the description`, title)
  const text = [isLong ? title.trim() : '', description?.trim() ?? ''].filter(Boolean).join('\n\n')
  if (text.length > TASK_DESCRIPTION_MAX) note(DESCRIPTIONS_CUT, title)
  return cut(text, TASK_DESCRIPTION_MAX) || null
}

/** The list's name is one of them. */
function fittingTags({ title, tags, list }: Task, note: Note): string[] {
  const given = [...new Set([...(list === null ? [] : [list]), ...tags].map((tag) => tag.trim()).filter(Boolean))]
  const long = given.filter((tag) => tag.length > TAG_MAX)
  for (const tag of long) note(`tags over ${TAG_MAX} characters: cut`, tag)
  const fitting = [...new Set(given.map((tag) => cut(tag, TAG_MAX)))]
  if (fitting.length > TAGS_MAX) note(`tags beyond the ${TAGS_MAX} that a task can have: left out`, title)
  return fitting.slice(0, TAGS_MAX)
}

function fittingDay({ title, dueDate }: Task, note: Note): string | null {
  if (dueDate === null || isDay(dueDate)) return dueDate
  note('due dates before the year 1000: left out', title)
  return null
}
