import { useMutation } from '@tanstack/react-query'
import { client } from '../../web/client'
import { startDownload } from '../../web/download'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import { trpc } from '../../web/trpc'

export const deletedBoardsQuery = () => ({ ...trpc.boards.deleted.queryOptions(), staleTime: 0 })

export const downloadHours = (boardId: number): void => startDownload(`/api/boards/${boardId}/my-hours.csv`)

export function readAllBoardsAgain(): void {
  void queryClient.invalidateQueries(trpc.boards.list.queryOptions())
  void queryClient.invalidateQueries(deletedBoardsQuery())
}

/** `onLimit` is called where the plan allows no further board; without it, the refusal says so. */
export const useRestoreBoard = (onLimit?: () => void) =>
  useMutation({
    mutationFn: (boardId: number) => client.boards.restore.mutate({ boardId }),
    onSettled: readAllBoardsAgain,
    onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit?.(),
    meta: {
      failure: (error) =>
        onLimit && refusalOf(error)?.requiresUpgrade
          ? null
          : {
              title: 'Restore Failed',
              description: refusalOf(error)?.message ?? 'Could not bring the board back. Please try again.',
            },
    },
  })

export const useDeleteForGood = () =>
  useMutation({
    mutationFn: (boardId: number) => client.boards.deleteForGood.mutate({ boardId }),
    onSettled: readAllBoardsAgain,
    meta: {
      success: { title: 'Board Deleted', description: 'The board and all that was on it are gone.' },
      failure: (error) => ({
        title: 'Delete Failed',
        description: refusalOf(error)?.message ?? 'Could not delete the board. Please try again.',
      }),
    },
  })
