/** Soon after another, a hint shows at once. */
const SOON_MS = 300
/** Until the pointer may have got from an element to its hint. */
const WAY_MS = 150

type Show = (hinted: HTMLElement | null) => void

/** Calls `show` with the element whose hint is to be seen, as the pointer rests on it or the keyboard has led there; with null to hide it. */
export function watchHints(show: Show) {
  let pointed: HTMLElement | null = null
  let shown: HTMLElement | null = null
  let hidAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined

  function become(hinted: HTMLElement | null) {
    clearTimeout(timer)
    if (shown && !hinted) hidAt = performance.now()
    shown = hinted?.isConnected ? hinted : null
    show(shown)
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

  function watch() {
    const ended = listen({
      pointerover({ target, pointerType }) {
        if (pointerType !== 'touch') point(isOnBubble(target) ? shown : hintedAt(target))
      },
      pointerout({ relatedTarget }) {
        if (!relatedTarget) point(null)
      },
      pointerdown({ target }) {
        // Gone already, it would be taken for something beside the dialog that it belongs to. The click hides it.
        if (!isOnBubble(target)) hide()
      },
      click: hide,
      focusin({ target }) {
        const hinted = hintedAt(target)
        if (hinted && target instanceof Element && target.matches(':focus-visible')) become(hinted)
      },
      focusout: hide,
      scroll({ target }) {
        if (target instanceof Node && target.contains(shown)) hide()
      },
    })
    return () => {
      clearTimeout(timer)
      ended()
    }
  }
  return { watch, hide }
}

type Listeners = { [Name in keyof DocumentEventMap]?: (event: DocumentEventMap[Name]) => void }

/** Answers what ends it. */
function listen(listeners: Listeners): () => void {
  const ended = new AbortController()
  for (const [name, listener] of Object.entries(listeners))
    document.addEventListener(name, listener as EventListener, {
      signal: ended.signal,
      passive: true,
      capture: name === 'scroll',
    })
  return () => ended.abort()
}

const isOnBubble = (target: EventTarget | null) => target instanceof Element && target.closest('[data-hint-bubble]') !== null
const hintedAt = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null)
