import type { columnsOf } from './columns'
import type { BoardBuilder } from './converted'
import type { DayOrder } from './dates'

const TITLES = [
  'title',
  'name',
  'task',
  'task name',
  'summary',
  'subject',
  'card name',
  'card title',
  'content',
  'issue',
  'item',
  'to do',
]
const LISTS = [
  'list',
  'list name',
  'column',
  'column name',
  'section/column',
  'section',
  'bucket',
  'bucket name',
  'stage',
  'board column',
]
const STATES = ['status', 'state', 'task status']

export const COLUMNS = {
  title: TITLES,
  description: ['description', 'notes', 'details', 'card description', 'task description', 'desc', 'body', 'note'],
  list: [...LISTS, ...STATES],
  state: STATES,
  due: ['due', 'due date', 'deadline', 'due at', 'duedate', 'date due', 'card due', 'target date', 'date'],
  tags: ['tags', 'labels', 'label', 'tag', 'categories', 'category'],
  assignee: [
    'assignee',
    'assignees',
    'assigned to',
    'assign',
    'members',
    'responsible',
    'assignee name',
    'assignee username',
    'owner',
  ],
  email: ['assignee email'],
  author: ['creator', 'created by', 'reporter', 'author', 'creator name'],
  created: ['created', 'created at', 'creation date', 'created date', 'created time', 'date created', 'createdat', 'created on'],
  updated: ['updated', 'updated at', 'last modified', 'last modified at', 'modified', 'last edited time', 'modification date'],
  completed: [
    'completed',
    'completed at',
    'completion date',
    'done',
    'done at',
    'resolved',
    'closed at',
    'due complete',
    'finished',
  ],
  archived: ['archived', 'card archived', 'closed'],
  comments: ['comment', 'comments'],
  attachments: ['attachment', 'attachments'],
  type: ['type'],
  indent: ['indent'],
}
export type Columns = ReturnType<typeof columnsOf<keyof typeof COLUMNS>>
export const DATES = ['due', 'created', 'updated', 'completed'] as const

export type Reading = { board: BoardBuilder; columns: Columns; order: DayOrder; header: string[] }
