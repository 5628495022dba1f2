import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { Checkbox } from '../../checklist'
import type { UserSummary } from '../../users/schema'
import { Markdown } from '../../web/ui/Markdown'
import { mentionsIn } from '../schema'

type Props = { content: string; members: UserSummary[]; onTick: ((box: Checkbox) => void) | undefined }

export function CommentText({ content, members, onTick }: Props) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const mentions = useMemo(() => {
    const known = new Set(members.map(({ username }) => username))
    return (text: string) => mentionsIn(text, (name) => known.has(name))
  }, [members])
  return (
    <Markdown
      text={content}
      mentions={mentions}
      reader={viewer.username}
      onMention={(username) => void navigate({ to: '/$username', params: { username } })}
      onTick={onTick}
    />
  )
}
