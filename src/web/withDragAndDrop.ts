import { whenIdle } from './whenIdle'

async function load() {
  const [combining, elements, scrolling] = await Promise.all([
    import('@atlaskit/pragmatic-drag-and-drop/combine'),
    import('@atlaskit/pragmatic-drag-and-drop/element/adapter'),
    import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'),
  ])
  return { ...combining, ...elements, ...scrolling }
}

type Parts = Awaited<ReturnType<typeof load>>

/** What was lost on the way is asked for again when somebody presses something, which may be for a drag. */
async function loadAtLast(): Promise<Parts> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      console.warn('What drags could not be loaded', error)
      await new Promise((resolve) => window.addEventListener('pointerdown', resolve, { once: true }))
    }
  }
}

/** Soon, for one may drag as soon as one sees a card. */
const PATIENCE_MS = 250

let loading: Promise<Parts> | undefined
let isLoaded = false

/** Whether it is loaded: what is to be dragged has its attribute at once then, for set later it would have all inside styled anew. */
export const hasDragAndDrop = () => isLoaded

/** For an effect: what drags loads after what it drags is drawn. */
export function withDragAndDrop(begin: (parts: Parts) => () => void): () => void {
  let end = () => {}
  let isOver = false
  loading ??= new Promise<void>((resolve) => void whenIdle(resolve, PATIENCE_MS)).then(loadAtLast)
  void loading.then((parts) => {
    isLoaded = true
    if (!isOver) end = begin(parts)
  })
  return () => {
    isOver = true
    end()
  }
}
