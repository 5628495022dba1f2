import type { Stripe } from '@stripe/stripe-js'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { chosenTheme, onThemeChange } from '../../web/theme'
import { useMedia } from '../../web/useMedia'
import { cardAppearance } from './cardAppearance'

/** Stripe's card fields in Stripe's frame; `place` is the ref of the element that holds it. */
export function useCardFields(stripe: Stripe, clientSecret: string) {
  const [elements] = useState(() => stripe.elements({ clientSecret, appearance: cardAppearance(), locale: 'en' }))
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading')
  const place = useCallback(
    (holder: HTMLDivElement | null) => {
      if (!holder) return
      const fields = elements.create('payment', { layout: 'tabs' })
      fields.on('ready', () => setState('ready'))
      fields.on('loaderror', () => setState('broken'))
      fields.mount(holder)
      return () => fields.destroy()
    },
    [elements],
  )

  const dark = useIsDark()
  // The frame does not see a change of our theme.
  useEffect(() => void elements.update({ appearance: cardAppearance() }), [elements, dark])

  return { elements, state, place }
}

function useIsDark() {
  const theme = useSyncExternalStore(onThemeChange, chosenTheme)
  const systemIsDark = useMedia('(prefers-color-scheme: dark)')
  return theme === 'system' ? systemIsDark : theme === 'dark'
}
