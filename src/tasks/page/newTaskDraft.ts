import { toast } from '../../web/toast'
import { useDraft } from '../../web/useDraft'
import { TITLE_MISSING } from '../schema'

/** `from` is the column for which the status was chosen; another column starts with its own. Lists are one line each. */
const EMPTY = { title: '', description: '', status: '', from: '', dueDate: '', tags: '', assignees: '' }

export const useNewTaskDraft = (boardId: number) => useDraft(`new-task-${boardId}`, EMPTY)

export const tellTitleMissing = () => toast({ variant: 'destructive', title: 'Title Required', description: TITLE_MISSING })
