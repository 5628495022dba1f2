import type { Status } from '../../tasks/schema'

/** A small design studio in the middle of its work. Days count from today. */

export const DEMO_PASSWORD = 'studio-demo'

export const NAMES = ['maya', 'jonas', 'riya', 'alma', 'sam'] as const
export type DemoName = (typeof NAMES)[number]
export type Ids = Record<DemoName, number>

export const PEOPLE: Record<DemoName, { name: string; isPro: boolean; description: string }> = {
  maya: { name: 'Maya Tremblay', isPro: true, description: 'Runs the studio. Sketches on paper first, always.' },
  jonas: { name: 'Jonas Okafor', isPro: false, description: 'Web developer. Fond of plain HTML and long walks.' },
  riya: { name: 'Riya Kapoor', isPro: false, description: 'Brand and type. Will notice your kerning.' },
  alma: { name: 'Alma Lindqvist', isPro: false, description: 'Photographer and retoucher.' },
  sam: { name: 'Sam Becker', isPro: false, description: 'Keeps the books, the calendar and the coffee going.' },
}

type Remark = readonly [who: DemoName, day: number, content: string]
export type Work = readonly [who: DemoName, day: number, minutes: number, note?: string]

export type DemoTask = {
  title: string
  status: Status
  created: number
  description?: string
  due?: number
  tags?: readonly string[]
  assignees?: readonly DemoName[]
  comments?: readonly Remark[]
  work?: readonly Work[]
}
export type StoredTask = DemoTask & { id: number }

export type DemoBoard = {
  /** Its time is invoiced. */
  client?: boolean
  name: string
  description: string
  creator: DemoName
  members: readonly DemoName[]
  tasks: readonly DemoTask[]
}

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

export function onDay(day: number, hour: number, minute = 0): Date {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() + day)
  date.setUTCHours(hour, minute, 0, 0)
  return date
}

const isWorkday = (day: number) => onDay(day, 12).getUTCDay() % 6 > 0

/** Deterministic, so every seed is the same. */
const pseudoRandom = (text: string, day: number) => Number(Bun.hash.xxHash32(`${text} ${day}`))
