import { useIsMutating, useMutation } from '@tanstack/react-query'
import { client } from '../../web/client'
import { reasonOr, refusalOf } from '../../web/refusal'
import { useRequestKey } from '../../web/useCall'
import type { BoardImport, Choices, Reading } from '../schema'
import { cachedImport, cacheImport, readImportsAgain } from './cache'

const NOT_STARTED = 'The import could not be started. Nothing is lost: please try again.'

/** Calls `onLimit` if the plan allows no further board. */
export function useStartImport(importId: number, onLimit: () => void) {
  const key = useRequestKey()
  return useMutation({
    mutationFn: (choices: Choices) => client.imports.start.mutate({ importId, choices }, key.of(choices)),
    onMutate: () => cachedImport(importId),
    onSuccess(started, _choices, before) {
      key.forget()
      // A message may say that a short import is done before this answer arrives.
      if (cachedImport(importId) === before) cacheImport(started)
    },
    onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit(),
    meta: {
      failure: (error) =>
        refusalOf(error)?.requiresUpgrade ? null : { title: 'Not Imported', description: reasonOr(error, NOT_STARTED) },
    },
  })
}

const rereadKey = (importId: number) => ['imports', 'reread', importId]

/** One at a time; a refusal leaves the preview as it was. */
export const useReread = (importId: number) =>
  useMutation({
    mutationKey: rereadKey(importId),
    scope: { id: `reread-${importId}` },
    mutationFn: (reading: Reading) => client.imports.reread.mutate({ importId, reading }),
    onSuccess: cacheImport,
    meta: { failure: () => null },
  })

export const useIsRereading = (importId: number): boolean => useIsMutating({ mutationKey: rereadKey(importId) }) > 0

/** Cancels a running import and deletes what it wrote; removes any other from the list. A finished board stays. */
export const useRemoveImport = (title: string, description?: string) =>
  useMutation({
    mutationFn: ({ id }: BoardImport) => client.imports.cancel.mutate({ importId: id }),
    onSettled: () => readImportsAgain(),
    meta: {
      success: { title, ...(description && { description }) },
      failure: (error) => ({ title: 'Request Failed', description: reasonOr(error, 'Please try again.') }),
    },
  })
