import type { Appearance } from '@stripe/stripe-js'

/** Our tokens in Stripe's words; its frame knows neither our stylesheet nor our font. */
export function cardAppearance(): Appearance {
  return {
    theme: 'flat',
    variables: {
      colorPrimary: colour('text'),
      colorBackground: colour('surface'),
      colorText: colour('text'),
      colorTextSecondary: colour('quiet'),
      colorTextPlaceholder: colour('quiet'),
      colorDanger: colour('danger'),
      iconColor: colour('quiet'),
      fontFamily: 'ui-sans-serif, system-ui, sans-serif',
      // Below 16 px, iOS zooms into a field as it is touched.
      fontSizeBase: matchMedia('(pointer: coarse)').matches ? '16px' : '14px',
      borderRadius: '8px',
      spacingUnit: '4px',
    },
    rules: {
      '.Input': { border: `1px solid ${colour('edge')}`, boxShadow: 'none' },
      '.Input:focus': { borderColor: colour('text'), boxShadow: `0 0 0 1px ${colour('text')}` },
      '.Input--invalid': { borderColor: colour('danger'), boxShadow: 'none' },
      '.Label': { fontWeight: '600' },
      '.Tab': { border: `1px solid ${colour('line')}`, boxShadow: 'none' },
      '.Tab--selected': { borderColor: colour('text'), color: colour('text') },
    },
  }
}

/** What a token is in the theme that is shown: the browser knows, once something wears it. */
function colour(token: string): string {
  // One for each: where motion is reduced, a change of colour is a very short transition, and is read before it ends.
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
