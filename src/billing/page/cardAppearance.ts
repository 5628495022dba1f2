import type { Appearance } from '@stripe/stripe-js'

/** Our design tokens as Stripe's; its frame cannot see our stylesheet. */
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
      // Below 16 px iOS zooms into a touched field.
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

/** Resolves a token in the shown theme by letting an element wear it. */
function colour(token: string): string {
  // An element for each: with reduced motion a change of colour is a short transition and would be read too early.
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
