import { lazy } from '../../basics'

const heights = { '--banner-room': 0, '--toast-room': 0, '--undo-room': 0 }
const sheet = lazy(() => {
  const made = new CSSStyleSheet()
  document.adoptedStyleSheets.push(made)
  return made
})

/** For `ref`: what has the class `leaves-room` leaves it for as much as the element takes at the moment. */
export const reserveRoom = (name: keyof typeof heights) => (element: HTMLElement | null) => {
  if (!element) return
  const observer = new ResizeObserver(() => reserve(name, element.offsetHeight))
  observer.observe(element)
  return () => {
    observer.disconnect()
    reserve(name, 0)
  }
}

/** By a rule for those few: a variable of the root would restyle the whole page with every toast. */
function reserve(name: keyof typeof heights, height: number) {
  if (heights[name] === height) return
  heights[name] = height
  const rules = Object.entries(heights).map(([room, pixels]) => `${room}: ${pixels}px`)
  sheet().replaceSync(`.leaves-room { ${rules.join('; ')} }`)
}
