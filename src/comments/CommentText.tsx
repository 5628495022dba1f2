import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useViewer } from '../auth/cache'
import type { UserSummary } from '../users/inputs'
import { mentionsIn } from './inputs'

/** What a comment says, line by line; the members that it mentions are links. */
export function CommentText({ content, members }: { content: string; members: UserSummary[] }) {
  const viewer = useViewer()
  const parts: ReactNode[] = []
  let end = 0
  for (const { from, to, username } of mentionsIn(content, (name) => members.some((member) => member.username === name))) {
    parts.push(content.slice(end, from))
    parts.push(
      <Link
        key={from}
        to="/$username"
        params={{ username }}
        className={`rounded-[4px] px-0.5 font-strong hover:underline ${username === viewer.username ? 'bg-accent-soft' : 'bg-column'}`}
      >
        {content.slice(from, to)}
      </Link>,
    )
    end = to
  }
  return (
    <p dir="auto" className="whitespace-pre-wrap break-words">
      {parts}
      {content.slice(end)}
    </p>
  )
}
