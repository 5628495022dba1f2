import { partsOf } from './columns'
import type { BoardBuilder } from './converted'

const ADDRESS_MAX = 500
const ADDRESS = /^(?:(.*?)\s*<)?([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>?$/

/** Whom a cell names, with addresses where it tells them. `email` is that of the only one. */
export function peopleIn(board: BoardBuilder, cell: string, email: string, member: boolean): number[] {
  const names = cell.includes(';') || cell.includes('\n') ? cell.split(/[;\n]/).map((name) => name.trim()) : partsOf(cell)
  const [only] = names
  if (email !== '' && names.length <= 1) return [of(board, only ?? '', email, member)]
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const [, called, address] = (name.length <= ADDRESS_MAX && ADDRESS.exec(name)) || []
      return address === undefined ? of(board, name, null, member) : of(board, called ?? '', address, member)
    })
}

const of = (board: BoardBuilder, name: string, email: string | null, member: boolean): number =>
  board.person((email ?? name).toLowerCase(), { name: name || (email ?? ''), email, member })
