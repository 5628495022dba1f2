const DOUBLE_PRESS_MS = 500
const NEAR_PX = 10

let last: PointerEvent | undefined

/** For the page's start. */
export function watchPresses(): void {
  const note = (event?: PointerEvent) => {
    last = event
  }
  window.addEventListener('pointerdown', note, true)
  // What is pressed after a key is no double click.
  window.addEventListener('keydown', () => note(), true)
}

/** Where something came or went by a press: the second press of a double click is not meant for what is there now. */
export const ignoreSecondPress = (): void => ignorePresses(false)

/** As above, where something goes as it is pressed beside it: neither is what follows of that press. */
export const ignoreRestOfPress = (): void => ignorePresses(true)

function ignorePresses(alsoThis: boolean): void {
  if (!last) return
  let first = last
  let isIgnored = alsoThis
  const listening = new AbortController()
  const { signal } = listening
  const decide = (event: PointerEvent) => {
    isIgnored = isSamePress(first, event)
    if (!isIgnored) return listening.abort()
    first = event
    stop(event)
  }
  // Enter on a button is a click, too, but of no press.
  const ignore = (event: MouseEvent) => isIgnored && event.detail > 0 && stop(event)
  window.addEventListener('pointerdown', decide, { capture: true, signal })
  for (const type of ['mousedown', 'click', 'dblclick'] as const) window.addEventListener(type, ignore, { capture: true, signal })
  window.addEventListener('keydown', () => listening.abort(), { capture: true, signal })
}

const isSamePress = (one: PointerEvent, next: PointerEvent) =>
  next.button === one.button &&
  next.timeStamp - one.timeStamp <= DOUBLE_PRESS_MS &&
  Math.hypot(next.clientX - one.clientX, next.clientY - one.clientY) <= NEAR_PX

function stop(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}
