import { asked, lastOn, type Make, taskKey, token } from './deed'

export const logTime: Make = ({ lot, person, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  const duration = 1 + lot.below(120)
  return {
    ask: asked('time.create', 'POST', '/api/time-entries', { taskId: task.id, duration, note: token('Note') }),
    facts(made) {
      if (!made) return []
      person.entries.push({ id: made.id, taskId: task.id })
      return [{ key: `entry ${made.id}`, value: `${duration}`, of: [taskKey(task.id)] }]
    },
  }
}

export const changeTime: Make = ({ lot, person, snapshot }) => {
  const own = lastOn(snapshot, person.entries)
  if (!own) return
  const key = { key: `entry ${own.id}`, of: [taskKey(own.taskId)] }
  if (lot.below(3) > 0) {
    const duration = 1 + lot.below(120)
    const ask = asked('time.update', 'PATCH', '/api/time-entries/:entryId', { entryId: own.id, duration })
    return { ask, facts: () => [{ ...key, value: `${duration}` }] }
  }
  person.entries.splice(person.entries.indexOf(own), 1)
  const ask = asked('time.delete', 'DELETE', '/api/time-entries/:entryId', { entryId: own.id })
  return { ask, facts: () => [{ ...key, value: null }] }
}

export const startTimer: Make = ({ lot, person, snapshot }) => {
  const task = lot.oneOf(snapshot.tasks)
  return {
    ask: asked('time.create', 'POST', '/api/time-entries', { taskId: task.id, status: 'ACTIVE', note: token('Timer') }),
    facts(made) {
      if (made) person.timers.push({ id: made.id, taskId: task.id })
      return []
    },
  }
}

export const turnTimer: Make = ({ lot, person, snapshot }) => {
  const own = lastOn(snapshot, person.timers)
  if (!own) return
  const status = lot.oneOf(['PAUSED', 'ACTIVE', 'completed', 'completed'] as const)
  const ask = asked('time.update', 'PATCH', '/api/time-entries/:entryId', { entryId: own.id, status })
  if (status !== 'completed') return { ask, facts: () => [] }
  person.timers.splice(person.timers.indexOf(own), 1)
  return { ask, facts: () => [{ key: `timer ${own.id}`, value: 'completed', of: [taskKey(own.taskId)] }] }
}
