import { asked, lastOn, type Make, taskKey, token } from './deed'

export const comment: Make = ({ lot, person, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  const content = token('Comment')
  return {
    ask: asked('comments.create', 'POST', '/api/tasks/:taskId/comments', { taskId: task.id, content }),
    facts(made) {
      if (!made) return []
      person.comments.push({ id: made.id, taskId: task.id })
      return [{ key: `comment ${made.id}`, value: content, of: [taskKey(task.id)] }]
    },
  }
}

export const changeComment: Make = ({ lot, person, snapshot }) => {
  const own = lastOn(snapshot, person.comments)
  if (!own) return
  const key = { key: `comment ${own.id}`, of: [taskKey(own.taskId)] }
  if (lot.below(3) > 0) {
    const content = token('Edited')
    const ask = asked('comments.update', 'PATCH', '/api/comments/:commentId', { commentId: own.id, content })
    return { ask, facts: () => [{ ...key, value: content }] }
  }
  person.comments.splice(person.comments.indexOf(own), 1)
  const ask = asked('comments.delete', 'DELETE', '/api/comments/:commentId', { commentId: own.id })
  return { ask, facts: () => [{ ...key, value: null }] }
}
