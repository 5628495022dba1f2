import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { aliasOf } from '../../web/live/aliases'
import { toast } from '../../web/toast'
import { nextEntry, noteOpen } from '../../web/ui/useBackCloses'
import type { BoardTask, Task } from '../schema'
import { filterIn } from './filterSearch'
import { inTaskHash, taskHash } from './taskHash'

/** The hash names the task of the open dialog, so that it can be linked and Back closes it. */
export function useOpenTask(boardId: number, tasks: BoardTask[]) {
  const navigate = useNavigate()
  const router = useRouter()
  // While navigating to another board the hash is already that one's.
  const hash = useLocation({ select: ({ pathname, hash }) => (pathname === `/board/${boardId}` ? hash : '') })
  const asked = inTaskHash(hash).taskId
  const openId = aliasOf(asked)
  const at = { to: '/board/$boardId', params: { boardId }, search: filterIn, resetScroll: false } as const
  const open = (task: Task) => void navigate({ ...at, hash: taskHash(task.id), ...nextEntry(router) })
  const close = () => void navigate({ ...at, hash: '', replace: true, state: true })
  const openTask = tasks.find((task) => task.id === openId)
  const isMissing = !Number.isNaN(openId) && !openTask
  const seen = useRef<number>(undefined)
  const rename = useEffectEvent(() => void navigate({ ...at, hash: taskHash(openId), replace: true, state: true }))
  useEffect(() => {
    if (openId < asked || openId > asked) rename()
  }, [openId, asked])
  const isOpen = openTask !== undefined
  useEffect(() => (isOpen ? noteOpen(router) : undefined), [isOpen, router])
  // The dialog itself announces the deletion of an open task.
  const tell = useEffectEvent(() => {
    if (seen.current === openId) return
    toast({ variant: 'destructive', title: 'Error', description: 'Could not load task details.' })
    close()
  })
  useEffect(() => {
    if (openTask) seen.current = openTask.id
    else if (isMissing) tell()
  }, [openTask, isMissing])
  return { openTask, open, close }
}
