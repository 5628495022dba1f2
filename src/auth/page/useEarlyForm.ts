import { type FocusEvent, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'

/** A form that is in the HTML: what was typed before the script was there is its own from then on. */
export function useEarlyForm(form: { adopt(element: HTMLFormElement): void }) {
  const adopt = useEffectEvent((element: HTMLFormElement) => form.adopt(element))
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (ref.current) adopt(ref.current)
    // A touch keyboard would cover the form.
    const isUntouched = document.activeElement === document.body && window.matchMedia('(hover: hover)').matches
    if (isUntouched) ref.current?.querySelector('input')?.focus()
  }, [])
  const isReady = useSyncExternalStore(unchanging, inBrowser, inHtml)
  return {
    form: { ref, onFocus: (event: FocusEvent<HTMLFormElement>) => form.adopt(event.currentTarget) },
    /** Sent without the script, the password would be in the address. */
    isReady,
  }
}

const unchanging = () => () => {}
const inBrowser = () => true
const inHtml = () => false
