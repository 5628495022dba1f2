import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { UserSummary } from '../../users/schema'
import { mentionsIn } from '../schema'

export function CommentText({ content, members }: { content: string; members: UserSummary[] }) {
  const viewer = useViewer()
  const parts: ReactNode[] = []
  let end = 0
  for (const { from, to, username } of mentionsIn(content, (name) => members.some((member) => member.username === name))) {
    parts.push(...withLinks(content.slice(end, from), end))
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
      {withLinks(content.slice(end), end)}
    </p>
  )
}

/** Excludes a full stop or bracket after an address. */
const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>"'.,:;!?)\]]/g

function withLinks(text: string, at: number): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    parts.push(
      text.slice(end, index),
      <a
        key={`link-${at + index}`}
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="underline underline-offset-4"
      >
        {address}
      </a>,
    )
    end = index + address.length
  }
  return [...parts, text.slice(end)]
}
