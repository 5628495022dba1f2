import type { DemoTask, Work } from './boards'

export function workOf(task: DemoTask): Work[] {
  const written = task.work ?? []
  if (task.status === 'todo') return [...written]
  const last = task.status === 'done' ? Math.floor(task.created / 3) : 0
  const days = Array.from({ length: Math.max(0, last - task.created) }, (_, nth) => task.created + 1 + nth).filter(isWorkday)
  const daily = (task.assignees ?? []).flatMap((who, nth) =>
    days.flatMap((day): Work[] => {
      const random = pseudoRandom(`${task.title} ${who}`, day + nth)
      const isTaken = random % 3 > 0 || written.some(([other, at]) => other === who && at === day)
      return isTaken ? [] : [[who, day, 15 + 5 * (random % 31), NOTES[random % NOTES.length]]]
    }),
  )
  return [...written, ...daily]
}

export const isBillable = (note: string | undefined): boolean => note !== 'Corrections'

const NOTES = [
  undefined,
  'First round',
  'Corrections',
  undefined,
  'Went through it with the client',
  'Call, and what came of it',
  undefined,
  'Clean-up',
  'Second round, much better',
  'Reading and sorting',
] as const

function isWorkday(day: number): boolean {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() + day)
  return date.getUTCDay() % 6 > 0
}

/** Deterministic, so every seed is the same. */
const pseudoRandom = (text: string, day: number) => Number(Bun.hash.xxHash32(`${text} ${day}`))
