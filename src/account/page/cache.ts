import { useMutation, useQuery } from '@tanstack/react-query'
import { CHANGE_SENT } from '../../auth/limits'
import { sessionEnding } from '../../auth/page/cache'
import { client } from '../../web/client'
import { queryClient, trpc } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import { LONG_SHOWN_FOR } from '../../web/toast'
import type { DeletionChoices, EmailChange, PasswordChange } from '../schema'

const securityQuery = () => trpc.account.security.queryOptions()

/** Read each time it is shown: other browsers change it too. */
export const useSecurity = () => useQuery({ ...securityQuery(), staleTime: 0 })

const readAgain = () => queryClient.invalidateQueries(securityQuery())

export const useSetPassword = () =>
  useMutation({
    mutationFn: (change: PasswordChange) => client.account.setPassword.mutate(change),
    onSettled: readAgain,
    meta: {
      success: { title: 'Password Changed', description: 'Every other browser was logged out.' },
      failure: (error) => ({
        title: 'Password Not Changed',
        description: refusalOf(error)?.message || 'Could not change the password. Please try again.',
      }),
    },
  })

export const useChangeEmail = () =>
  useMutation({
    mutationFn: (change: EmailChange) => client.account.changeEmail.mutate(change),
    meta: {
      success: { title: 'Link Sent', description: CHANGE_SENT, duration: LONG_SHOWN_FOR },
      failure: (error) => ({
        title: 'Email Not Changed',
        description: refusalOf(error)?.message || 'Could not change your email. Please try again.',
      }),
    },
  })

const NOT_ENDED = { title: 'Logout Failed', description: 'Could not log that browser out. Please try again.' }

export const useEndSession = () =>
  useMutation({
    mutationFn: (sessionId: string) => client.account.endSession.mutate({ sessionId }),
    onSettled: readAgain,
    meta: { success: { title: 'Logged Out', description: 'That browser is no longer signed in.' }, failure: NOT_ENDED },
  })

export const useEndOtherSessions = () =>
  useMutation({
    mutationFn: () => client.account.endOtherSessions.mutate(),
    onSettled: readAgain,
    meta: { success: { title: 'Logged Out', description: 'Only this browser is still signed in.' }, failure: NOT_ENDED },
  })

const leaving = sessionEnding(() => '/')

export const useDeleteAccount = () =>
  useMutation({
    mutationFn: ({ password, ...choices }: DeletionChoices & { password: string }) =>
      client.account.delete.mutate({ ...(password && { password }), ...choices }),
    ...leaving,
    onError: () => {
      leaving.onError()
      void readAgain()
    },
    meta: {
      failure: (error) => ({
        title: 'Account Not Deleted',
        description: refusalOf(error)?.message || 'Could not delete the account. Please try again.',
      }),
    },
  })
