const DOUBLE_PRESS_MS = 500
const NEAR_PX = 10
const NEAR_BY_FINGER_PX = 30

/** Undefined where a key came last. */
let last: PointerEvent | undefined

/** Once, as the page starts. */
export function watchPresses(): void {
  const note = (event?: PointerEvent) => {
    last = event
  }
  window.addEventListener('pointerdown', note, true)
  window.addEventListener('keydown', () => note(), true)
}

export const wasPressed = (): boolean => last !== undefined

export const isByFinger = (): boolean => last?.pointerType === 'touch'

/** Where something came or went by a press: the second press of a double click is not meant for what is there now. */
export const ignoreSecondPress = (): void => ignorePresses({ now: false })

/** As above, where something goes as it is pressed beside it: neither is what follows of that press. */
export const ignoreRestOfPress = (): void => ignorePresses({ now: true })

function ignorePresses({ now }: { now: boolean }): void {
  const first = last
  if (!first) return
  let isIgnoring = now
  let isSecondOver = false
  const listening = new AbortController()
  const { signal } = listening
  const decide = (event: PointerEvent) => {
    if (isSecondOver || !isSecondPress(first, event)) return listening.abort()
    isSecondOver = true
    isIgnoring = true
    stop(event)
  }
  // Enter on a button is a click, too, but of no press.
  const ignore = (event: MouseEvent) => isIgnoring && event.detail > 0 && stop(event)
  window.addEventListener('pointerdown', decide, { capture: true, signal })
  for (const type of ['mousedown', 'click', 'dblclick'] as const) window.addEventListener(type, ignore, { capture: true, signal })
  // What is pressed after a key is no double click.
  window.addEventListener('keydown', () => listening.abort(), { capture: true, signal })
}

const isSecondPress = (first: PointerEvent, next: PointerEvent) =>
  next.button === first.button &&
  next.timeStamp - first.timeStamp <= DOUBLE_PRESS_MS &&
  Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY) <=
    (next.pointerType === 'touch' ? NEAR_BY_FINGER_PX : NEAR_PX)

function stop(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}
