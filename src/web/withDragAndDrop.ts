import { whenIdle } from './whenIdle'

async function load() {
  await new Promise<void>((resolve) => void whenIdle(resolve, PATIENCE_MS))
  const [combining, elements, scrolling] = await Promise.all([
    import('@atlaskit/pragmatic-drag-and-drop/combine'),
    import('@atlaskit/pragmatic-drag-and-drop/element/adapter'),
    import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'),
  ])
  return { ...combining, ...elements, ...scrolling }
}

/** Soon, for one may drag as soon as one sees a card. */
const PATIENCE_MS = 250

type Parts = Awaited<ReturnType<typeof load>>

let loading: Promise<Parts> | undefined

/** For an effect: what drags loads after what it drags is drawn. */
export function withDragAndDrop(begin: (parts: Parts) => () => void): () => void {
  let end = () => {}
  let isOver = false
  loading ??= load()
  loading.then(
    (parts) => {
      if (!isOver) end = begin(parts)
    },
    (error: unknown) => {
      loading = undefined
      console.warn('What drags could not be loaded', error)
    },
  )
  return () => {
    isOver = true
    end()
  }
}
