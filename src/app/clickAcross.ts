/** As far as a hand moves that clicks. */
const MOVES_PX = 5

type Press = { on: Node; x: number; y: number }

/** Where the app takes the place of what the mouse has pressed in the HTML, no browser clicks anything as it is let go. */
export function clickAcross(): void {
  const html = document.querySelector('#root > *')
  const ended = new AbortController()
  const options = { capture: true, signal: ended.signal }
  let pressed: Press | undefined

  const press = ({ target, pointerType, button, clientX: x, clientY: y }: PointerEvent) => {
    if (!html?.isConnected) return ended.abort()
    pressed = pointerType === 'mouse' && button === 0 && target instanceof Node ? { on: target, x, y } : undefined
  }
  const letGo = ({ target, clientX, clientY }: PointerEvent) => {
    const isClick = pressed && !pressed.on.isConnected && Math.hypot(clientX - pressed.x, clientY - pressed.y) < MOVES_PX
    pressed = undefined
    if (isClick) target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  }
  document.addEventListener('pointerdown', press, options)
  document.addEventListener('pointerup', letGo, options)
}
