import { z } from 'zod'
import { success } from '../../../schema'
import { restCalls } from '../../../server/rest'
import { timeEntry } from '../schema'
import { entriesRouter } from './router'

const { get, post, create, patch, remove } = restCalls('time', entriesRouter)

export const entriesRest = [
  get(
    '/api/time-entries/task/:taskId',
    'ofTask',
    'The time entries of a task, the newest work first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(timeEntry),
  ),
  get(
    '/api/time-entries/board/:boardId',
    'ofBoard',
    'The time entries of a board, the newest day first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(timeEntry),
  ),
  create(
    '/api/time-entries',
    'create',
    'Log work in minutes, or, with the status ACTIVE, start a timer, which pauses the one that runs',
    timeEntry,
  ),
  patch('/api/time-entries/:entryId', 'update', "Change one's entry; a status turns or completes a timer", timeEntry),
  remove('/api/time-entries/:entryId', 'delete', "Delete one's entry", success),
  post('/api/time-entries/:entryId/restore', 'restore', 'Bring back an entry that one deleted in the last 10 seconds', timeEntry),
]
