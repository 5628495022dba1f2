import { useMutation } from '@tanstack/react-query'
import { client } from '../../web/client'
import { queryClient } from '../../web/queryClient'
import type { Arrangement } from '../schema'
import { arranged } from './arranging'
import { boardsQuery } from './cache'

export const useArrangeBoards = () =>
  useMutation({
    mutationFn: (order: Arrangement) => client.boards.arrange.mutate(order),
    scope: { id: 'arrange boards' },
    onMutate: async (order) => {
      await queryClient.cancelQueries(boardsQuery())
      queryClient.setQueryData(boardsQuery().queryKey, (boards) => boards && arranged(boards, order))
    },
    onError: () => void queryClient.invalidateQueries(boardsQuery()),
    meta: { failure: { title: 'Not Moved', description: 'Could not keep the order of your boards. Please try again.' } },
  })
