import * as Tooltip from 'radix-ui/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { wasPressed } from '../pointer'

const OPENS_SOON_MS = 300

/** Use once, around the page. */
export const Hints = ({ children }: { children: ReactNode }) => <Tooltip.Provider>{children}</Tooltip.Provider>

type Props = { text: string; soon?: boolean; children: ReactElement }

/** A tooltip for its child, after a while of hovering or on keyboard focus. */
export const Hint = ({ text, soon, children }: Props) => (
  <Tooltip.Root {...(soon && { delayDuration: OPENS_SOON_MS })}>
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

export function Truncated({ text, max = 15 }: { text: string; max?: number }) {
  if (!text.trim()) return null
  const characters = [...text]
  if (characters.length <= max) return <span dir="auto">{text}</span>
  return (
    <Hint text={text} soon>
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
