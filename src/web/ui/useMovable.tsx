import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'

/** Lets `node` keep its state when its place on the page changes: `content` renders it once, and it is seen at `place`. */
export function useMovable(node: ReactNode) {
  const [host] = useState(() => {
    const element = document.createElement('div')
    element.className = 'contents'
    return element
  })
  return { content: createPortal(node, host), place: <Place host={host} /> }
}

function Place({ host }: { host: HTMLElement }) {
  // Appending it again would lose the focus.
  return <div className="contents" ref={(element) => void (element && host.parentNode !== element && element.append(host))} />
}
