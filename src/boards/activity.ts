import { z } from 'zod'
import { id } from '../schema'
import { task } from '../tasks/schema'

const event = <K extends string, D extends z.ZodRawShape>(kind: K, detail: D) =>
  z.object({ kind: z.literal(kind), detail: z.object(detail) })

const textChange = { from: z.string(), to: z.string() }
const dayChange = { from: z.string().nullable(), to: z.string().nullable() }
/** Null in imported events about people who are not on the new board. */
const aboutUser = { userId: id.nullable() }

/** Holds no comments or descriptions, and people by id only, so that nothing outlives its deletion here. */
export const activityEvent = z.discriminatedUnion('kind', [
  event('created', {}),
  event('moved', { from: task.shape.status, to: task.shape.status }),
  event('renamed', textChange),
  event('described', {}),
  event('due', dayChange),
  event('tagged', { added: z.array(z.string()), removed: z.array(z.string()) }),
  event('assigned', aboutUser),
  event('unassigned', aboutUser),
  event('commented', {}),
  event('file', { did: z.enum(['added', 'removed']), name: z.string() }),
  event('time', { did: z.enum(['logged', 'changed', 'removed']), minutes: z.number() }),
  event('deleted', {}),
  event('restored', {}),
  event('board_created', {}),
  event('board_restored', {}),
  event('board_imported', { source: z.string() }),
  event('board_renamed', textChange),
  event('board_described', {}),
  event('member_added', aboutUser),
  event('member_joined', {}),
  event('member_removed', aboutUser),
  event('member_left', {}),
  event('name_accepted', {}),
])
export type ActivityEvent = z.infer<typeof activityEvent>

export type NewActivity = ActivityEvent & { taskId: number | null; taskTitle: string | null }

export const taskEvents = ({ id, title }: { id: number; title: string }, ...events: ActivityEvent[]): NewActivity[] =>
  events.map((event) => ({ ...event, taskId: id, taskTitle: title }))

export const boardEvents = (...events: ActivityEvent[]): NewActivity[] =>
  events.map((event) => ({ ...event, taskId: null, taskTitle: null }))
