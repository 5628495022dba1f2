import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mayCreateBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { FREE_BOARDS } from '../basics'
import { boardsQuery } from './cache'

/** Shown before anything is filled in; the server decides. */
export function PlanIsFull({ children }: { children?: ReactNode }) {
  const viewer = useViewer()
  const own = useQuery(boardsQuery()).data?.filter(({ createdBy }) => createdBy === viewer.id).length ?? 0
  if (mayCreateBoard(viewer, own, FREE_BOARDS)) return null
  return (
    <p className="rounded-card bg-column px-3 py-2" role="note">
      The Free plan holds {FREE_BOARDS} board; you have {own === 1 ? 'one' : own}.{' '}
      <UpgradeLink className="font-strong underline underline-offset-4">Upgrade to Pro</UpgradeLink>
      {children}
    </p>
  )
}
