/** Selects overlays. */
export const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

const DOUBLE_PRESS_MS = 500
const NEAR_PX = 10
const NEAR_BY_FINGER_PX = 30

type Press = { event: PointerEvent; layer: Element | null; layers: number; ignoresSecond: boolean }

/** Undefined if a key came last. */
let last: Press | undefined

/** Call once: ignores the second press of a double click if the first changed what is under it. */
export function watchPresses(): void {
  let isIgnored = false
  const stop = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const onPress = (event: PointerEvent) => {
    const ignoresSecond = event.target instanceof Element && event.target.closest('[data-ignore-second-press]') !== null
    const press = { event, ignoresSecond, layer: layerOf(event.target), layers: document.querySelectorAll(LAYERS).length }
    isIgnored =
      last !== undefined &&
      isSecond(last.event, event) &&
      (last.ignoresSecond || press.layer !== last.layer || press.layers > last.layers)
    last = press
    if (isIgnored) stop(event)
  }
  // Touching beside a menu closes it, and the rest of that press would hit what was below.
  const isBelow = ({ target }: MouseEvent) => last?.layer === document.documentElement && target !== document.documentElement
  // Enter on a button is also a click, but not a press.
  const onMouse = (event: MouseEvent) => (isIgnored || isBelow(event)) && event.detail > 0 && stop(event)
  const onKey = (event: KeyboardEvent) => {
    last = undefined
    isIgnored = false
    // A held key would repeatedly press whatever took the button's place.
    if (event.repeat && event.target instanceof Element && event.target.closest('[data-ignore-second-press]'))
      event.preventDefault()
  }
  window.addEventListener('pointerdown', onPress, true)
  for (const type of ['mousedown', 'click', 'dblclick'] as const) window.addEventListener(type, onMouse, true)
  window.addEventListener('keydown', onKey, true)
}

export const wasPressed = (): boolean => last !== undefined

export const isByFinger = (): boolean => last?.event.pointerType === 'touch'

/** Marks what got the focus by a click, also through a dialog: browsers treat any focused field as focus-visible. */
export function markFocusByPointer(): void {
  const mark = () => document.activeElement?.toggleAttribute('data-by-pointer', wasPressed())
  window.addEventListener('pointerdown', mark, true)
  document.addEventListener('focusin', mark)
}

/** Around a menu that covers the page, only the document itself is hit. */
function layerOf(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null
  return target === document.documentElement ? target : target.closest(`${LAYERS}, [data-scrim]`)
}

const isSecond = (first: PointerEvent, next: PointerEvent) =>
  next.button === first.button &&
  next.timeStamp - first.timeStamp <= DOUBLE_PRESS_MS &&
  Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY) <=
    (next.pointerType === 'touch' ? NEAR_BY_FINGER_PX : NEAR_PX)
