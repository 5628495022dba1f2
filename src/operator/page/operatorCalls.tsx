import { keepPreviousData, type UseMutationResult, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useLayoutEffect, useState } from 'react'
import { useSecurity } from '../../account/page/cache'
import { ConfirmPassword } from '../../auth/page/CredentialFields'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import type { ToastText } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import type { Confirmation } from '../schema'

type Part<Row> = { rows: Row[]; nextCursor: number | null }
export type ReadPart<Row> = (given: { search: string; cursor?: number }) => Promise<Part<Row>>

const OPERATOR_KEY = 'operator'

/** Reread whenever shown: no message announces others' changes. */
export function useOperatorList<Row>(name: string, search: string, read: ReadPart<Row>) {
  const { data, ...query } = useInfiniteQuery({
    queryKey: [OPERATOR_KEY, name, search],
    queryFn: ({ pageParam }) => read({ search, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { rows: data?.pages.flatMap(({ rows }) => rows), ...query }
}

export const stateKey = [OPERATOR_KEY, 'state']

/** A change, after which everything is reread. */
export const useOperatorChange = <Given, Answer>(
  call: (given: Given) => Promise<Answer>,
  success: ToastText | ((answer: Answer, given: Given) => ToastText | null),
) =>
  useMutation({
    mutationFn: call,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [OPERATOR_KEY] }),
    meta: {
      // The meta of mutations knows no types; these are what `mutationFn` takes and returns.
      success: success as ToastText | ((answer: unknown, given: unknown) => ToastText | null),
      failure: (error) => ({ title: 'Request Failed', description: refusalOf(error)?.message ?? 'Please try again.' }),
    },
  })

type Props = {
  action: string
  call: UseMutationResult<unknown, Error, Confirmation>
  disabled?: boolean
  onDone?(): void
  onCancel(): void
  /** Fields above the password field. */
  children?: ReactNode
}

/** Asks for the operator's own password again, if they have one. */
export function ConfirmForm({ action, call, disabled = false, onDone, onCancel, children }: Props) {
  const hasPassword = useSecurity().data?.hasPassword !== false
  const [password, setPassword] = useState('')
  // The call outlives its dialog; a refusal of it must not.
  useLayoutEffect(() => call.reset(), [call.reset])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    call.mutate(hasPassword ? { password } : {}, { onSuccess: onDone })
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {children}
      {hasPassword && <ConfirmPassword call={call} value={password} onValue={setPassword} />}
      <DialogButtons>
        <Button onClick={onCancel} disabled={call.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={call.isPending} disabled={disabled || (hasPassword && password === '')}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}
