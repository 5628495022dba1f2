import type { BoardTask } from '../../schema'
import { byPlace, type Place } from '../lookup'
import { type Segment, textOf, toSegment } from './gzip'

/** Shorter ones compress less, longer ones take longer to make anew. */
const PIECE_LENGTH = 2 ** 15

/** A task as JSON, and where it stands. */
export type Line = Place & { id: number; json: string }

/**
 * Some tasks in the order of the board, as JSON without brackets; `last` is where the last of them stands. Where one has changed,
 * others will: `lines` are kept from then on, for reading them takes longer than all else.
 */
export type Piece = Segment & { ids: Set<number>; last: Place; lines?: Line[] }

export const toPieces = (tasks: BoardTask[]): Promise<Piece[]> => Promise.all(chunksOf(tasks.map(toLine)).map(toPiece))

export const toLine = (task: BoardTask): Line => ({
  id: task.id,
  status: task.status,
  position: task.position,
  json: JSON.stringify(task),
})

async function toPiece(lines: Line[]): Promise<Piece> {
  const segment = await toSegment(lines.map(({ json }) => json).join())
  const { status, position } = lines.at(-1) ?? FIRST
  return { ...segment, ids: new Set(lines.map(({ id }) => id)), last: { status, position } }
}

/** The pieces with `now` in place of the tasks of these ids, which are gone where it has none of them; all others are kept. */
export async function withChanged(pieces: Piece[], changed: Set<number>, now: Line[]): Promise<Piece[]> {
  if (pieces.length === 0) return Promise.all(chunksOf(now.toSorted(byPlace)).map(toPiece))
  const added = new Map<Piece | undefined, Line[]>()
  for (const line of now) {
    const at = pieces.find(({ last }) => byPlace(line, last) <= 0) ?? pieces.at(-1)
    added.set(at, [...(added.get(at) ?? []), line])
  }
  const remake = async (piece: Piece, own: Line[]) => {
    const kept = (await linesOf(piece)).filter(({ id }) => !changed.has(id))
    const chunks = chunksOf([...kept, ...own].toSorted(byPlace))
    return Promise.all(chunks.map(async (lines) => ({ ...(await toPiece(lines)), lines })))
  }
  const remade = pieces.map((piece) => {
    const own = added.get(piece) ?? []
    return own.length === 0 && changed.isDisjointFrom(piece.ids) ? [piece] : remake(piece, own)
  })
  return (await Promise.all(remade)).flat()
}

const linesOf = async (piece: Piece): Promise<Line[]> =>
  piece.lines ?? (JSON.parse(`[${await textOf(piece)}]`) as BoardTask[]).map(toLine)

/** A text that is not all Latin takes two bytes a letter. */
const BYTES_A_LETTER = 2

export const bytesOf = ({ deflated, length, lines }: Piece): number => deflated.byteLength + (lines ? BYTES_A_LETTER * length : 0)

/** The lines are read anew where one changes again. */
export function forgetLines(pieces: Piece[]): void {
  for (const piece of pieces) delete piece.lines
}

const FIRST: Place = { status: 'todo', position: '' }

/** None is over twice as long as others, so that it can grow before it is cut. */
function chunksOf(lines: Line[]): Line[][] {
  const chunks: Line[][] = []
  let chunk: Line[] = []
  let length = 0
  let left = lines.reduce((sum, { json }) => sum + json.length, 0)
  for (const line of lines) {
    chunk.push(line)
    length += line.json.length
    left -= line.json.length
    if (length < PIECE_LENGTH || left < PIECE_LENGTH) continue
    chunks.push(chunk)
    chunk = []
    length = 0
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks
}
