import type { Status } from '../../tasks/limits'

/** Lower case without accents, camelCase split: for comparing names of columns and lists. */
export const plainText = (text: string): string =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()

const wordsOf = (text: string): string[] =>
  plainText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

const DONE = new Set(
  wordsOf(`done complete completed finish finished closed archive archived shipped released resolved delivered deployed merged
    published cancelled canceled rejected declined abandoned duplicate wontfix wontdo obsolete
    erledigt fertig abgeschlossen geschlossen gelöst beendet archiviert abgelehnt abgebrochen storniert verworfen
    terminé terminée terminés terminées fini finie fait faite faits achevé achevée clos close fermé fermée résolu résolue livré
    livrée archivé archivée annulé annulée
    hecho hecha hechos completado completada terminado terminada finalizado finalizada cerrado cerrada resuelto resuelta listo
    archivado archivada cancelado cancelada
    concluído concluída feito fatto completato chiuso klaar gereed afgerond zrobione hotovo
    готово сделано выполнено завершено закрыто 完成 已完成 完了 完了済み 已关闭 완료 완료됨`),
)
const IN_PROGRESS = new Set(
  wordsOf(`doing progress review reviewing reviewed test testing tested current working started begun wip ongoing qa verify
    verifying implementing developing development stuck process
    arbeit bearbeitung läuft laufend begonnen angefangen gestartet prüfung
    cours revue commencé commencée curso progreso proceso haciendo revisión pruebas empezado empezada iniciado iniciada
    andamento corso bezig работе процессе выполняется 进行中 進行中 対応中 作業中 진행중 진행`),
)
const NOT = new Set(wordsOf('not never no non nicht kein keine pas sin não niet нет не'))
const ALMOST = new Set(wordsOf('almost nearly half partly partially fast teilweise halb presque casi'))

/** The default column for a list or status name. Compares whole words: "Incomplete" is not done. */
export function guessColumn(list: string): Status {
  const words = wordsOf(list)
  const text = words.join(' ')
  if (/^won ?t (do|fix)\b/.test(text)) return 'done'
  if (/\bto (do|be)\b|\bbacklog\b/.test(text) || words.some((word) => NOT.has(word))) return 'todo'
  if (words.some((word) => DONE.has(word)) || /[✓✔✅☑]/u.test(list))
    return words.some((word) => ALMOST.has(word)) ? 'inprogress' : 'done'
  return words.some((word) => IN_PROGRESS.has(word)) ? 'inprogress' : 'todo'
}
