/** For `ref`: dialogs leave room for as much as the element takes at the moment. */
export const reserveRoom = (name: '--toast-room' | '--undo-room') => (element: HTMLElement | null) => {
  if (!element) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty(name, `${element.offsetHeight}px`))
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(name)
  }
}
