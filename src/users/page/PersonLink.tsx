import { Link } from '@tanstack/react-router'
import type { HTMLAttributes } from 'react'
import { isName, type UserSummary } from '../schema'

type Props = HTMLAttributes<HTMLElement> & { user: UserSummary; edit?: boolean }

/** Leads to a profile, which a mere name has not. */
export function PersonLink({ user, edit = false, ...rest }: Props) {
  if (isName(user)) return <span {...(rest['aria-label'] !== undefined && { role: 'img' })} {...rest} />
  return <Link to="/$username" params={{ username: user.username }} search={edit ? { edit } : {}} {...rest} />
}
