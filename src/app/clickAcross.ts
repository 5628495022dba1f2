/** Where the app takes the place of what the mouse has pressed in the HTML, no browser clicks anything as it is let go. */
export function clickAcross(): void {
  const html = document.querySelector('#root > *')
  const ended = new AbortController()
  const options = { capture: true, signal: ended.signal }
  let pressed: EventTarget | null = null

  const press = ({ target, pointerType, button }: PointerEvent) => {
    if (!html?.isConnected) ended.abort()
    else pressed = pointerType === 'mouse' && button === 0 ? target : null
  }
  const letGo = ({ target }: PointerEvent) => {
    const isGone = pressed instanceof Node && !pressed.isConnected
    if (isGone) target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    pressed = null
  }
  document.addEventListener('pointerdown', press, options)
  document.addEventListener('pointerup', letGo, options)
}
