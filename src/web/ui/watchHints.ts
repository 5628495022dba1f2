/** Soon after another, a hint shows at once. */
const SOON_MS = 300
/** Until the pointer may have got from an element to its hint. */
const WAY_MS = 150

type Show = (hinted: HTMLElement | null) => void

/** Tells whose hint is to be seen, or null: the pointer has rested there, or the keyboard has led there. `watch` answers how to end it. */
export function watchHints(show: Show) {
  let pointed: HTMLElement | null = null
  let shown: HTMLElement | null = null
  let hidAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined

  function become(hinted: HTMLElement | null) {
    clearTimeout(timer)
    if (shown && !hinted) hidAt = performance.now()
    shown = hinted
    show(hinted)
  }
  const hide = () => become(null)

  function point(hinted: HTMLElement | null) {
    if (hinted === pointed) return
    pointed = hinted
    clearTimeout(timer)
    const isSoon = shown !== null || performance.now() - hidAt < SOON_MS
    if (!hinted) timer = setTimeout(hide, WAY_MS)
    else if (isSoon) become(hinted)
    else timer = setTimeout(become, Number(hinted.dataset.hintAfter), hinted)
  }

  function enter({ target, pointerType }: PointerEvent) {
    if (pointerType === 'touch') return
    // On the hint itself it stays as if on what it says more of.
    point(target instanceof Element && target.closest('[data-hint-bubble]') ? shown : hintedAt(target))
  }
  function leave({ relatedTarget }: PointerEvent) {
    if (!relatedTarget) point(null)
  }
  function focus({ target }: FocusEvent) {
    const hinted = hintedAt(target)
    if (hinted && target instanceof Element && target.matches(':focus-visible')) become(hinted)
  }
  function scroll({ target }: Event) {
    if (target instanceof Node && target.contains(shown)) hide()
  }

  return {
    hide,
    watch() {
      const ended = new AbortController()
      const { signal } = ended
      document.addEventListener('pointerover', enter, { signal, passive: true })
      document.addEventListener('pointerout', leave, { signal, passive: true })
      document.addEventListener('pointerdown', hide, { signal, passive: true })
      document.addEventListener('click', hide, { signal, passive: true })
      document.addEventListener('focusin', focus, { signal })
      document.addEventListener('focusout', hide, { signal })
      document.addEventListener('scroll', scroll, { signal, passive: true, capture: true })
      return () => {
        clearTimeout(timer)
        ended.abort()
      }
    },
  }
}

const hintedAt = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null)
