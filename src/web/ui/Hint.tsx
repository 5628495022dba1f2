import * as Tooltip from 'radix-ui/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { wasPressed } from '../pointer'

const OPENS_AFTER = 700

/** Use once, around the page. */
export const Hints = ({ children }: { children: ReactNode }) => <Tooltip.Provider>{children}</Tooltip.Provider>

type Props = { text: string; after?: number; children: ReactElement }

/** A tooltip for its child, after `after` ms of hovering or on keyboard focus. */
export const Hint = ({ text, after = OPENS_AFTER, children }: Props) => (
  <Tooltip.Root delayDuration={after}>
    {/* Radix treats any focus as keyboard focus. */}
    <Tooltip.Trigger asChild onFocus={(event) => wasPressed() && event.preventDefault()}>
      {children}
    </Tooltip.Trigger>
    <Tooltip.Portal>
      <Tooltip.Content
        dir="auto"
        sideOffset={6}
        collisionPadding={8}
        className="z-50 max-w-72 animate-appear break-words rounded-card bg-text px-2 py-1 text-inverse text-small"
      >
        {text}
      </Tooltip.Content>
    </Tooltip.Portal>
  </Tooltip.Root>
)

const HINT_AFTER = 300

export function Truncated({ text, max = 15 }: { text: string; max?: number }) {
  if (!text.trim()) return null
  const characters = [...text]
  if (characters.length <= max) return <span dir="auto">{text}</span>
  return (
    <Hint text={text} after={HINT_AFTER}>
      <span dir="auto">
        {characters
          .slice(0, max - 3)
          .join('')
          .trimEnd()}
        ...
      </span>
    </Hint>
  )
}
