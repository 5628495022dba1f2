import { z } from 'zod'
import { newBoard } from '../boards/schema'
import { untrimmedText } from '../schema'
import { timeZone } from '../time/schema'
import { LIST_MAX, listProblem, tasksIn } from './list'

export * from './list'

export const exampleFor = z.object({ timeZone: timeZone.default('UTC') })

const list = untrimmedText(LIST_MAX).superRefine((given, { addIssue }) => {
  const message = listProblem(tasksIn(given))
  if (message) addIssue({ code: 'custom', message })
})

export const listedBoard = newBoard.extend({ list })
export type ListedBoard = z.input<typeof listedBoard>
