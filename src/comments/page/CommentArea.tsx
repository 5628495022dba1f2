import type { ComponentProps } from 'react'
import { useViewer } from '../../auth/page/cache'
import { MentionArea } from '../../users/page/MentionArea'

type Props = Omit<ComponentProps<typeof MentionArea>, 'does'> & { onSubmit(): void }

/** Ctrl or Cmd with Enter sends, @ offers the other members of the board. */
export function CommentArea({ members, onSubmit, onKeyDown, ...rest }: Props) {
  const viewer = useViewer()
  return (
    <MentionArea
      members={members.filter((member) => member.id !== viewer.id)}
      does="mention"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          onSubmit()
        } else onKeyDown?.(event)
      }}
      {...rest}
    />
  )
}
