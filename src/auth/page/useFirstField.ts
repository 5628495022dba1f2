import { type RefObject, useEffect } from 'react'

/** Focuses a form's first field when the page opens, but not where a touch keyboard would cover the form. */
export function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const isUntouched = document.activeElement === document.body && window.matchMedia('(hover: hover)').matches
    if (isUntouched) form.current?.querySelector('input')?.focus()
  }, [form])
}
