import type { ListedBoard } from '../../operator/schema'
import { byCommand, handBoardOver, userNamed } from '../../operator/server/changes'
import { grantCommandReading } from '../../operator/server/grants'
import { listAllBoards } from '../../operator/server/store'
import { columns, everyPart, numberIn } from './columns'
import type { Module } from './command'

const shown = ({ id, name, creator, members, tasks, createdAt }: ListedBoard) => ({
  id: String(id),
  // What people write could move the cursor of a terminal.
  name: name.replaceAll(/\p{C}+/gu, ' '),
  creator: creator.username,
  members: String(members),
  tasks: String(tasks),
  since: createdAt.slice(0, 10),
})

export const list: Module<{ search?: string }> = {
  run: ({ database: { db } }, { search = '' }) =>
    everyPart((cursor) => listAllBoards(db, grantCommandReading(), { search, ...(cursor && { cursor }) })),
  show: (boards) => columns((boards as ListedBoard[]).map(shown)),
}

export const handOver: Module<{ board: string; who: string }> = {
  async run(context, { board, who }) {
    const boardId = numberIn(board)
    return byCommand(await context.services(), async (ctx) => {
      const userId = await userNamed(ctx, who)
      await handBoardOver(ctx, boardId, userId)
      return { boardId, userId }
    })
  },
  show: (_, { board, who }) => `${who} is now the creator of board ${board}`,
}
