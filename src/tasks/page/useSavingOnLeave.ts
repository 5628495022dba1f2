import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { toast, UNTIL_DISMISSED } from '../../web/toast'
import type { Task } from '../schema'
import { taskHash } from './taskHash'

type Given = { save(): void; onClose(): void }

/** Saves once, whatever closes the dialog: its buttons, or an address that it is no part of. */
export function useSavingOnLeave({ save, onClose }: Given) {
  const isOver = useRef(false)
  const leave = useEffectEvent(() => {
    if (!isOver.current) save()
  })
  useEffect(() => () => leave(), [])
  const end = () => {
    isOver.current = true
    onClose()
  }
  return {
    saving() {
      end()
      save()
    },
    unsaved: end,
  }
}

export function useReopen(boardId: number, taskId: number) {
  const navigate = useNavigate()
  return () => void navigate({ to: '/board/$boardId', params: { boardId }, hash: taskHash(taskId) })
}

/** What cannot be saved stays as a draft. */
export const tellUnsaved = ({ title }: Task, reopen: () => void) =>
  toast({
    variant: 'destructive',
    title: 'Not saved',
    description: `What you changed in “${title}” is kept. Open the task to finish it.`,
    duration: UNTIL_DISMISSED,
    actions: [{ label: 'Open the task', run: reopen }],
  })
