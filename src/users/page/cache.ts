import { useMutation, useMutationState, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client, randomKey } from '../../web/client'
import { queryClient, trpc } from '../../web/queryClient'
import { reasonIn } from '../../web/refusal'
import { sendFiles, UploadFailed } from '../../web/sendFile'
import { UPDATE_SHOWN_FOR } from '../../web/toast'
import {
  AVATAR_NO_IMAGE,
  AVATAR_TOO_LARGE,
  applyMasterSwitch,
  DEFAULT_AVATAR,
  type NotificationChanges,
  type OwnUser,
  type ProfileChanges,
} from '../schema'
import { updateViewer } from './reducers'
import { sessionQuery, useViewer } from './viewer'

/** Read each time: no message announces changes of users without a shared board. */
export const useProfile = (username: string) => useQuery({ ...trpc.users.profile.queryOptions({ username }), staleTime: 0 })

/** Read each time: it depends on the plan. */
export const useSupport = () => useQuery({ ...trpc.users.support.queryOptions(), staleTime: 0 })

const OWN_PROFILE_KEY = ['own profile']
type Variables<Input> = { input: Input; predicted: Partial<OwnUser> }

export function usePredictedViewer(): OwnUser {
  const viewer = useViewer()
  const inFlight = useMutationState({
    filters: { mutationKey: OWN_PROFILE_KEY, status: 'pending' },
    select: ({ state }) => (state.variables as Variables<unknown> | undefined)?.predicted ?? {},
  })
  return useMemo(() => Object.assign({}, viewer, ...inFlight), [viewer, inFlight])
}

type ProfileMutation<Input> = {
  send(input: Input): Promise<Partial<OwnUser>>
  predict(input: Input): Partial<OwnUser>
  meta: NonNullable<Parameters<typeof useMutation>[0]['meta']>
}

/** One at a time; a refused change stops being pending, which undoes it. */
function useProfileMutation<Input>({ send, predict, meta }: ProfileMutation<Input>) {
  const { mutateAsync, isPending, error } = useMutation({
    mutationKey: OWN_PROFILE_KEY,
    scope: { id: 'own profile' },
    mutationFn: ({ input }: Variables<Input>) => send(input),
    onSuccess: updateViewer,
    onError: () => void queryClient.invalidateQueries(sessionQuery()),
    meta,
  })
  /** Resolves to undefined after a refusal, which a toast shows and `onRefused` gets. */
  const run = (input: Input, onRefused?: (error: unknown) => void) =>
    mutateAsync({ input, predicted: predict(input) }).catch((error: unknown) => void onRefused?.(error))
  return { run, isPending, error }
}

const definedFields = <Changes extends object>(changes: Changes): Partial<OwnUser> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

export const useUpdateProfile = () =>
  useProfileMutation({
    send: (changes: ProfileChanges) => client.users.update.mutate(changes),
    predict: definedFields,
    meta: {
      success: {
        title: 'Profile Updated',
        description: 'Your profile has been updated successfully.',
        duration: UPDATE_SHOWN_FOR,
      },
      failure: (error) => ({
        title: 'Update Failed',
        description: reasonIn(error) ?? 'Could not update your profile. Please try again.',
      }),
    },
  })

export const useSetNotifications = () =>
  useProfileMutation({
    // Includes the four that the master switch turns off, as the REST call does.
    send: (changes: NotificationChanges) => client.users.setNotifications.mutate(applyMasterSwitch(changes)),
    predict: (changes) => definedFields(applyMasterSwitch(changes)),
    meta: {
      success: {
        title: 'Notification Settings Updated',
        description: 'Your preferences have been saved.',
        duration: UPDATE_SHOWN_FOR,
      },
      failure: { title: 'Update Failed', description: 'Could not update notification settings. Please try again.' },
    },
  })

export const useRemoveAvatar = () =>
  useProfileMutation({
    send: async (_: undefined) => ({ avatar: (await client.users.removeAvatar.mutate()).url }),
    predict: () => ({ avatar: DEFAULT_AVATAR }),
    meta: {
      success: { title: 'Avatar Removed', description: 'Your profile image has been reset to default.' },
      failure: { title: 'Removal Failed', description: 'Could not remove profile image. Please try again.' },
    },
  })

export const TOO_LARGE = { title: 'File Too Large', description: AVATAR_TOO_LARGE }
export const NO_IMAGE = { title: 'Invalid File Type', description: AVATAR_NO_IMAGE }

/** Shows the file itself while it is being uploaded. */
export const useUploadAvatar = () =>
  useProfileMutation({
    async send({ file }: { file: File; shown: string }) {
      const { body } = await sendFiles('/api/upload/avatar', { avatar: file }, randomKey(), () => {}).answer
      return { avatar: (body as { url: string }).url }
    },
    predict: ({ shown }) => ({ avatar: shown }),
    meta: {
      success: { title: 'Upload Successful', description: 'Your avatar image has been uploaded.' },
      failure: uploadFailureText,
    },
  })

function uploadFailureText(error: unknown) {
  const refused = error instanceof UploadFailed ? error.refusal : null
  if (refused?.code === 'PAYLOAD_TOO_LARGE') return TOO_LARGE
  if (refused?.code === 'UNSUPPORTED_MEDIA_TYPE') return NO_IMAGE
  return { title: 'Upload Failed', description: refused?.message ?? 'Could not upload image. Please try again.' }
}
