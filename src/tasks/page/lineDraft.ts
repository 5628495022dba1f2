import { useDraft } from '../../web/useDraft'
import type { Status } from '../schema'

/** `plain` has what is to be read as text, a line each. */
export const EMPTY_LINE = { text: '', plain: '' }

/** What is typed in the line of a column, and was not added yet. */
export const useLineDraft = (boardId: number, status: Status) => useDraft(`line-${status}-${boardId}`, EMPTY_LINE)

export const LINE_HINT = 'Task  @who  #tag  fri'
