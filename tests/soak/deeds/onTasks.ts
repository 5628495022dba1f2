import type { Fact } from '../ledger'
import { asked, type Make, memberKey, STATUSES, taskKey, token } from './deed'

const fieldsOf = (task: { id: number }, fields: Record<string, string>): Fact[] =>
  Object.entries(fields).map(([field, value]) => ({ key: `${taskKey(task.id)} ${field}`, value, of: [taskKey(task.id)] }))

export const createTask: Make = ({ lot, snapshot }) => {
  const input = { boardId: snapshot.board.id, title: token('Task'), status: lot.oneOf(STATUSES), tags: ['soak'] }
  const { title, status } = input
  return {
    ask: asked('tasks.create', 'POST', '/api/boards/:boardId/tasks', input),
    facts: (task) => (task ? [{ key: taskKey(task.id), value: 'there', of: [] }, ...fieldsOf(task, { title, status })] : []),
  }
}

export const editTask: Make = ({ lot, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  const change = lot.oneOf<Record<string, string>>([
    { title: token('Title') },
    { description: token('Text') },
    { dueDate: `2027-01-${10 + lot.below(19)}` },
  ])
  const ask = asked('tasks.update', 'PATCH', '/api/tasks/:taskId', { taskId: task.id, ...change })
  return { ask, facts: () => fieldsOf(task, change) }
}

export const moveTask: Make = ({ lot, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  const other = lot.oneOf(snapshot.tasks)
  const status = lot.oneOf(STATUSES)
  const place = other.id === task.id ? { status } : { status: other.status, [lot.oneOf(['before', 'after'])]: other.id }
  const ask = asked('tasks.update', 'PATCH', '/api/tasks/:taskId', { taskId: task.id, ...place })
  return { ask, facts: () => fieldsOf(task, { status: place.status }) }
}

export const deleteTask: Make = ({ lot, person, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  if (task.createdBy !== person.id && snapshot.board.createdBy !== person.id) return
  person.deleted.push({ taskId: task.id, board: snapshot.board.id })
  const ask = asked('tasks.delete', 'DELETE', '/api/tasks/:taskId', { taskId: task.id })
  return { ask, facts: () => [{ key: taskKey(task.id), value: null, of: [] }] }
}

export const restoreTask: Make = ({ person, snapshot }) => {
  const last = person.deleted.pop()
  if (last?.board !== snapshot.board.id) return
  const ask = asked('tasks.restore', 'POST', '/api/tasks/:taskId/restore', { taskId: last.taskId })
  return { ask, facts: () => [{ key: taskKey(last.taskId), value: 'there', of: [] }] }
}

export const assign: Make = ({ lot, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  const { id: userId } = lot.oneOf(snapshot.board.members)
  const isOn = task.assignees.some(({ id }) => id === userId)
  const ask = isOn
    ? asked('tasks.unassign', 'DELETE', '/api/tasks/:taskId/assignees/:userId', { taskId: task.id, userId })
    : asked('tasks.assign', 'POST', '/api/tasks/:taskId/assignees', { taskId: task.id, userId })
  const of = [taskKey(task.id), memberKey(snapshot.board.id, userId)]
  return { ask, facts: () => [{ key: `${taskKey(task.id)} assignee ${userId}`, value: isOn ? null : 'there', of }] }
}
