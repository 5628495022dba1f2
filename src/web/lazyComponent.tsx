import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { dismissToast, toast } from './toast'

/** What loads when it is first used, or by `load` before. What was lost is asked for again the next time. */
function part<Part>(ask: () => Promise<Part>) {
  let loaded: Part | undefined
  const load = async () => {
    loaded ??= await ask()
    return loaded
  }
  /** Undefined until it has come. */
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

/** `fallback` shows until it has come; `onLost` is called where it does not. */
type Own = { fallback: ReactNode; onLost(): void }

/** A component that loads by itself. Not React's `lazy`, which shows what comes soon after its fallback 300 ms late, and keeps a failure. */
export function lazyComponent<Props extends object>(ask: () => Promise<ComponentType<Props>>) {
  const { load, usePart } = part(ask)
  function LazyComponent(props: Props & Own) {
    const Loaded = usePart(() => {
      tellLost('Not Opened', 'This could not be loaded. Please try again or reload the page.')
      props.onLost()
    })
    return Loaded ? <Loaded {...props} /> : props.fallback
  }
  return Object.assign(LazyComponent, { load })
}

/** What validates a form, which loads once that form is shown: zod is an eighth of all scripts. */
export const lazySchema = <Schema,>(ask: () => Promise<Schema>) => {
  const { load, usePart } = part(ask)
  const useSchema = () => usePart(() => tellLost('Not Ready', 'A part of this form could not be loaded. Please reload the page.'))
  return Object.assign(useSchema, { load })
}

let told = 0

/** Of a script that did not arrive. Many browsers give it up then for as long as the page is there. */
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
