import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { boardsQuery } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { type Call, client } from '../../web/client'
import { ownZone } from '../../web/clock'
import { isUnreachable } from '../../web/live/reachability'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import { useRequestKey } from '../../web/useCall'
import type { ListedBoard } from '../schema'

export const failureOf = (error: unknown): string =>
  isUnreachable(error)
    ? 'You are offline, so the board cannot be created yet. Nothing is lost: try again when you are back online.'
    : refusalOf(error)?.message || 'Could not create the board. Please try again.'

const texts = {
  success: { title: 'Board Created', description: 'Your new board has been created successfully.' },
  failure: (error: unknown) => ({ title: 'Creation Failed', description: failureOf(error) }),
}

function useMaking<Given>(make: (given: Given, call: Call) => Promise<Board>, made?: () => void) {
  const navigate = useNavigate()
  const key = useRequestKey()
  return useMutation({
    mutationFn: (given: Given) => make(given, key.of(given)),
    onMutate: () => window.location.pathname,
    onSuccess: ({ id }, _given, pathname) => {
      key.forget()
      made?.()
      void queryClient.invalidateQueries(boardsQuery())
      // A user who navigated elsewhere meanwhile stays there.
      if (window.location.pathname === pathname) void navigate({ to: '/board/$boardId', params: { boardId: id } })
    },
    meta: texts,
  })
}

export const useMakeExample = () =>
  useMaking((_: undefined, call) => client.boardStarters.example.mutate({ timeZone: ownZone() }, call))

export const useMakeFromList = (made: () => void) =>
  useMaking((given: ListedBoard, call) => client.boardStarters.fromList.mutate(given, call), made)
