import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { dismissToast, toast } from './toast'

/** Loads on first use, or earlier through `load`. A failed load is retried the next time. */
function part<Part>(ask: () => Promise<Part>) {
  let loaded: Part | undefined
  const load = async () => {
    loaded ??= await ask()
    return loaded
  }
  /** Undefined until loaded. */
  function usePart(onLost: () => void): Part | undefined {
    const [known, setKnown] = useState(() => loaded)
    const fail = useEffectEvent(onLost)
    useEffect(() => {
      if (known !== undefined) return
      let isGone = false
      load().then(
        (come) => {
          forgetLost()
          if (!isGone) setKnown(() => come)
        },
        () => isGone || fail(),
      )
      return () => {
        isGone = true
      }
    }, [known])
    return known
  }
  return { load, usePart }
}

/** `fallback` shows until it is loaded; `onLost` is called if that fails. */
type Own = { fallback: ReactNode; onLost(): void }

/** A component in its own script. Not React's `lazy`, which delays quick loads by 300 ms and remembers failures. */
export function lazyComponent<Props extends object>(ask: () => Promise<ComponentType<Props>>) {
  const { load, usePart } = part(ask)
  function LazyComponent(props: Props & Own) {
    const Loaded = usePart(() => {
      tellLost('Could Not Open', 'This could not be loaded. Please try again or reload the page.')
      props.onLost()
    })
    return Loaded ? <Loaded {...props} /> : props.fallback
  }
  return Object.assign(LazyComponent, { load })
}

/** A form's schema, which loads once the form is shown: zod is an eighth of all scripts. */
export const lazySchema = <Schema,>(ask: () => Promise<Schema>) => {
  const { load, usePart } = part(ask)
  const useSchema = () =>
    usePart(() => tellLost('Form Not Loaded', 'Part of this form could not be loaded. Please reload the page.'))
  return Object.assign(useSchema, { load })
}

let told = 0

/** For a script that failed to load. Many browsers do not retry it for as long as the page is open. */
function tellLost(title: string, description: string): void {
  forgetLost()
  told = toast({
    variant: 'destructive',
    title,
    description,
    actions: [{ label: 'Reload', run: () => window.location.reload() }],
  })
}

const forgetLost = (): void => dismissToast(told)
