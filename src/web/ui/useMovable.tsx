import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * Something that keeps its state while its place on the page changes: `content` stands after all of its places, always
 * the same, and is seen at `place`.
 */
export function useMovable(node: ReactNode) {
  const [host] = useState(() => {
    const element = document.createElement('div')
    element.className = 'contents'
    return element
  })
  return { content: createPortal(node, host), place: <Place host={host} /> }
}

function Place({ host }: { host: HTMLElement }) {
  // Put there again, it would lose the focus.
  return <div className="contents" ref={(element) => void (element && host.parentNode !== element && element.append(host))} />
}
