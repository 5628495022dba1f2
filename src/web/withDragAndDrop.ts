type Parts = typeof import('./dragAndDrop')

/** For an effect: what drags loads after what it drags is drawn. */
export function withDragAndDrop(begin: (parts: Parts) => () => void): () => void {
  let end = () => {}
  let isOver = false
  import('./dragAndDrop').then(
    (parts) => {
      if (!isOver) end = begin(parts)
    },
    (error: unknown) => console.warn('What drags could not be loaded', error),
  )
  return () => {
    isOver = true
    end()
  }
}
