import type { ColumnField, TaskColumn } from '../../schema'
import type { BoardBuilder } from './boardBuilder'
import type { DayOrder } from './dates'
import { type columnsOf, guessFields, plainName, type Spellings, spelled } from './table'

/** Column names in English, German, French and Spanish, as `plainName` gives them. */
export const TASK_SPELLINGS: Spellings<TaskColumn> = {
  title: spelled(`title, name, task, task name, summary, subject, card name, card title, content, issue, item, to do, titel,
    aufgabe, aufgabenname, zusammenfassung, betreff, bezeichnung, titre, nom, tache, nom de la tache, resume, objet, titulo,
    nombre, tarea, nombre de la tarea, resumen, asunto`),
  description: spelled(`description, notes, details, card description, task description, task content, desc, body, note,
    beschreibung, notizen, notiz, remarques, descripcion, notas`),
  list: spelled(`list, list name, column, column name, section/column, section, bucket, bucket name, stage, board column, liste,
    spalte, abschnitt, bucketname, bereich, colonne, compartiment, nom du compartiment, etape, lista, columna, seccion, etapa,
    deposito, nombre del deposito`),
  state: spelled(`status, state, task status, state name, progress, zustand, fortschritt, bearbeitungsstand, etat, statut,
    avancement, estado, progreso`),
  due: spelled(`due, due date, deadline, due at, duedate, date due, card due, target date, fallig, fallig am, falligkeitsdatum,
    falligkeit, frist, termin, stichtag, echeance, date d’echeance, date d'echeance, date limite, date cible, vencimiento,
    fecha de vencimiento, fecha limite, fecha limite de entrega, fecha de entrega, date, datum, fecha`),
  tags: spelled(`tags, labels, label, tag, categories, category, schlagworter, stichworter, stichworte, etiketten, kategorie,
    kategorien, beschriftungen, bezeichnungen, etiquettes, etiquette, mots cles, categorie, etiquetas, etiqueta, categoria,
    categorias`),
  assignee: spelled(`assignee, assignees, assigned to, assign, members, responsible, assignee name, assignee username, person,
    people, bearbeiter, zugewiesen an, zustandig, zugewiesene person, verantwortlich, mitglieder, beauftragte person,
    personne assignee, attribue a, attribuee a, responsable, assigne a, assignee a, membres, affectee a, persona asignada,
    asignado a, asignado, asignada a, miembros, owner, besitzer, eigentumer, proprietaire, propietario`),
  email: spelled('assignee email, e mail des bearbeiters, e mail de la personne assignee'),
  author: spelled(`creator, created by, reporter, author, creator name, created by name, ersteller, erstellt von, autor,
    berichterstatter, createur, cree par, auteur, rapporteur, creador, creado por, informador`),
  created: spelled(`created, created at, creation date, created date, created time, date created, createdat, created on, erstellt,
    erstellt am, erstelldatum, erstellungsdatum, angelegt am, creation, date de creation, cree, creee, cree le, creada, creado,
    fecha de creacion, creado el`),
  updated: spelled(`updated, updated at, last modified, last modified at, modified, last edited time, modification date,
    aktualisiert, aktualisiert am, geandert am, zuletzt geandert, anderungsdatum, mise a jour, mis a jour, modifie,
    derniere modification, actualizada, actualizado, ultima modificacion`),
  completed: spelled(`completed, completed at, completion date, done, done at, resolved, closed at, closed, due complete,
    finished, finish date, date closed, date done, completed date, date completed, erledigt, erledigt am, abgeschlossen,
    abgeschlossen am, abschlussdatum, gelost, fertig, termine, termine le, terminee, acheve, achevee le, resolu, resolue,
    date d’achevement, date d'achevement, completado, completada, completado el, fecha de finalizacion, resuelta, finalizado`),
  archived: spelled(`archived, card archived, archived at, is archived, archiviert, archiviert am, archive, archivee, archivado,
    archivada`),
  comments: spelled('comment, comments, kommentar, kommentare, commentaire, commentaires, comentario, comentarios'),
  attachments: spelled(`attachment, attachments, anhang, anhange, anlagen, piece jointe, pieces jointes, adjunto, adjuntos,
    archivos adjuntos`),
  type: spelled('type'),
  indent: spelled('indent'),
}

export type Columns = ReturnType<typeof columnsOf<TaskColumn>>
export const DATES = ['due', 'created', 'updated', 'completed', 'archived'] as const

const isOwner = (name: string) => /^(owner|besitzer|eigentumer|proprietaire|propietario)$/.test(plainName(name))

/** The user's choice, else by name; null for a line of the description. */
export function readTaskColumns(header: string[], chosen: ColumnField[]): (TaskColumn | 'leave' | null)[] {
  const guess = guessTaskColumns(header)
  const fields = guess.map((field, at) => {
    const own = chosen[at]
    return own === 'line' ? null : own === 'leave' || isTaskColumn(own) ? own : field
  })
  const first = fields.indexOf(null)
  // An unknown language: the user may choose another column.
  if (chosen.length === 0 && !fields.includes('title') && header.length > 1 && isText(header)) fields[first] = 'title'
  return fields
}

const isTaskColumn = (field: ColumnField | undefined): field is TaskColumn =>
  field !== undefined && Object.hasOwn(TASK_SPELLINGS, field)

const isText = (header: string[]) => header.every((name) => name !== '' && !/[\p{Cc}\ufffd]/u.test(name))

/** Several assignee columns name the same people: only the one with the best name counts. */
function guessTaskColumns(header: string[]): (TaskColumn | null)[] {
  const fields = guessFields(header, TASK_SPELLINGS)
  const assignees = header.filter((_, at) => fields[at] === 'assignee')
  const best = TASK_SPELLINGS.assignee.find((name) => assignees.some((given) => plainName(given) === name))
  const wekan = isWekan(header)
  const isTodoist = fields.includes('type') && fields.includes('indent')
  return fields.map((field, at) => {
    const name = header[at] ?? ''
    if (field === 'type' || field === 'indent') return isTodoist ? field : null
    if (field !== 'assignee' || plainName(name) === best) return field
    if (isOwner(name)) return fields.includes('author') ? null : 'author'
    return wekan ? field : null
  })
}

/** WeKan separates names and labels by blanks. */
export function isWekan(header: string[]): boolean {
  const names = new Set(header.map(plainName))
  const isIt = ['stage', 'swimlane', 'requested by'].some((name) => names.has(name))
  return isIt && names.has('owner') && names.has('members')
}

export type TasksContext = {
  board: BoardBuilder
  columns: Columns
  order: DayOrder
  header: string[]
  fields: readonly (string | null)[]
  names: Map<string, string>
  hasBlanksBetween: boolean
}
