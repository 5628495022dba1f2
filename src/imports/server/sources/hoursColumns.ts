import { badRequest } from '../../../server/errors'
import type { ColumnField, HourField } from '../../schema'
import { type columnsOf, guessFields, plainName, type Spellings } from './columns'
import { TASK_SPELLINGS } from './tasksCsvColumns'
import { hasDays, isDayName } from './weeks'

/** Names of columns as programs write them, in English, German, French and Spanish; without marks and in lower case. */
export const HOUR_SPELLINGS: Spellings<HourField> = {
  project: ['project', 'project name', 'projekt', 'projet', 'proyecto'],
  client: ['client', 'client name', 'kunde', 'cliente'],
  task: ['task', 'task name', 'aufgabe', 'tache', 'tarea'],
  note: [
    ...['description', 'time entry', 'time entry description', 'notes', 'note', 'beschreibung', 'notizen', 'notiz'],
    ...['descripcion', 'notas'],
  ],
  user: [
    ...['user', 'member', 'user name', 'benutzer', 'mitglied', 'utilisateur', 'membre', 'usuario', 'miembro'],
    ...['first name', 'vorname', 'prenom', 'last name', 'nachname'],
  ],
  email: ['email', 'user email', 'member email', 'e mail', 'correo electronico'],
  tags: ['tags', 'tag', 'etiquettes', 'etiquetas'],
  billable: ['billable', 'abrechenbar', 'facturable'],
  startDate: [
    ...['start date', 'date', 'day', 'startdatum', 'datum', 'date de debut', 'date debut', 'jour'],
    ...['fecha de inicio', 'fecha', 'dia'],
  ],
  startTime: ['start time', 'startzeit', 'heure de debut', 'heure debut', 'hora de inicio'],
  endDate: ['end date', 'stop date', 'enddatum', 'date de fin', 'fecha de finalizacion', 'fecha de fin'],
  endTime: ['end time', 'stop time', 'endzeit', 'heure de fin', 'hora de finalizacion', 'hora de fin'],
  duration: [
    ...[
      'duration',
      'duration (h)',
      'time (h)',
      'hours',
      'duration (formatted)',
      'registered time',
      'dauer',
      'dauer (h)',
      'zeit (h)',
    ],
    ...['stunden', 'duree', 'duree (h)', 'temps (h)', 'heures', 'duracion', 'duracion (h)', 'tiempo (h)', 'horas'],
  ],
  decimal: [
    ...['duration (decimal)', 'decimal hours', 'time (decimal)', 'dauer (dezimal)', 'zeit (dezimal)'],
    ...['duree (decimale)', 'duree (decimal)', 'temps (decimal)', 'duracion (decimal)', 'tiempo (decimal)'],
  ],
  minutes: ['duration (minutes)', 'minutes', 'minuten', 'minutos'],
  dayHours: [],
}
export type HourColumns = ReturnType<typeof columnsOf<HourField>>

const SUMMARY = 'This is a summary of hours, without their days: group it by day, or export the detailed report as CSV.'

/**
 * Whether a table is of hours: each with its day, how long it was, and the hour or the person. What is due, or somebody's to do,
 * is a plan.
 */
export function isHours(header: string[]): boolean {
  const fields = guessFields(header, HOUR_SPELLINGS)
  const has = (...any: HourField[]) => any.some((field) => fields.includes(field))
  const names = header.map(plainName)
  const isPlan = names.some((name) => IN_PLANS.has(name) && !HOUR_SPELLINGS.startDate.includes(name))
  if (isPlan) return false
  if (hasDays(header) && has('project', 'client', 'user')) return true
  const isSummary =
    names.some((name) => SUMS.has(name)) || (has('duration') && has('project') && fields.every((field) => field !== null))
  if (isSummary && !has('startDate')) throw badRequest(SUMMARY)
  return (
    has('startDate') &&
    has('duration', 'decimal', 'minutes', 'endTime') &&
    has('startTime', 'decimal', 'minutes', 'user', 'email')
  )
}

const IN_PLANS = new Set([...TASK_SPELLINGS.due, ...TASK_SPELLINGS.assignee, ...TASK_SPELLINGS.completed])
const SUMS = new Set(['time (h)', 'time (decimal)', 'zeit (h)', 'zeit (dezimal)', 'temps (h)', 'tiempo (h)'])

/** What each column holds: as somebody chose, else as its name says. */
export function hourFields(header: string[], chosen: ColumnField[]): (HourField | 'leave')[] {
  const guess = guessFields(header, HOUR_SPELLINGS)
  const names = header.map(plainName)
  const hasUser = names.some((name, at) => guess[at] === 'user' && !PART_OF_NAME.test(name))
  const isWeekly = hasDays(header)
  const fields = guess.map((field, at) => {
    const own = chosen[at]
    if (own === 'leave' || own === 'line') return 'leave'
    if (own !== undefined && isHourField(own)) return own
    if (isWeekly && isDayName(header[at] ?? '')) return 'dayHours'
    return field === null || (hasUser && PART_OF_NAME.test(names[at] ?? '')) ? 'leave' : field
  })
  // What else a weekly report tells of times are its sums.
  return fields.includes('dayHours') ? fields.map((field) => (isTime(field) ? 'leave' : field)) : fields
}

const TIMES = ['startDate', 'startTime', 'endDate', 'endTime', 'duration', 'decimal', 'minutes'] as const
const isTime = (field: string) => TIMES.some((time) => time === field)
const PART_OF_NAME = /^(first name|vorname|prenom|last name|nachname)$/
const isHourField = (field: ColumnField): field is HourField => Object.hasOwn(HOUR_SPELLINGS, field)
