import { Portal, Slot } from 'radix-ui'
import { DismissableLayer, Popper } from 'radix-ui/internal'
import { type ReactElement, useCallback, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { watchHints } from './watchHints'

const OPENS_AFTER = 700

type Props = { text: string; after?: number; children: ReactElement }

/** Says more of its child where the pointer has rested for `after` ms, or the keyboard has led there. */
export const Hint = ({ text, after = OPENS_AFTER, children }: Props) => (
  <Slot.Root data-hint={text} data-hint-after={after}>
    {children}
  </Slot.Root>
)

/** Shows the hints of the whole page in one bubble: a tooltip of Radix's for each element would have React draw a new page twice. */
export function Hints() {
  const [hinted, setHinted] = useState<HTMLElement | null>(null)
  const [{ watch, hide }] = useState(() => watchHints(setHinted))
  useEffect(watch, [watch])
  return hinted && <Bubble hinted={hinted} onHide={hide} />
}

function Bubble({ hinted, onHide }: { hinted: HTMLElement; onHide(): void }) {
  const id = useId()
  const text = useHintOf(hinted)
  useEffect(() => {
    const before = hinted.getAttribute('aria-describedby')
    hinted.setAttribute('aria-describedby', before ? `${before} ${id}` : id)
    // What leaves the page is out of sight, too.
    const sight = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting || onHide())
    sight.observe(hinted)
    return () => {
      sight.disconnect()
      if (before) hinted.setAttribute('aria-describedby', before)
      else hinted.removeAttribute('aria-describedby')
    }
  }, [hinted, id, onHide])
  return (
    <Popper.Root>
      <Popper.Anchor virtualRef={useMemo(() => ({ current: hinted }), [hinted])} />
      <Portal.Root>
        {/* A branch, so that pressing it is not beside the dialog that the hint is in. */}
        <DismissableLayer.Branch>
          <DismissableLayer.Root onDismiss={onHide} onFocusOutside={(event) => event.preventDefault()}>
            <Popper.Content
              id={id}
              role="tooltip"
              data-hint-bubble
              dir="auto"
              side="top"
              sideOffset={6}
              collisionPadding={8}
              className="z-50 max-w-72 animate-appear break-words rounded-card bg-text px-2 py-1 text-inverse text-small"
            >
              {text}
            </Popper.Content>
          </DismissableLayer.Root>
        </DismissableLayer.Branch>
      </Portal.Root>
    </Popper.Root>
  )
}

/** It may change while it is shown. */
function useHintOf(hinted: HTMLElement): string | undefined {
  const subscribe = useCallback(
    (changed: () => void) => {
      const observer = new MutationObserver(changed)
      observer.observe(hinted, { attributeFilter: ['data-hint'] })
      return () => observer.disconnect()
    },
    [hinted],
  )
  return useSyncExternalStore(subscribe, () => hinted.dataset.hint)
}
