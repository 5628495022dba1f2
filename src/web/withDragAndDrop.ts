import { whenIdle } from './scheduling'

async function load() {
  const [combining, elements, scrolling] = await Promise.all([
    import('@atlaskit/pragmatic-drag-and-drop/combine'),
    import('@atlaskit/pragmatic-drag-and-drop/element/adapter'),
    import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'),
  ])
  return { ...combining, ...elements, ...scrolling }
}

type Parts = Awaited<ReturnType<typeof load>>

/** A failed load is retried on the next press, which may start a drag. */
async function loadAtLast(): Promise<Parts> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      console.warn('Drag and drop could not be loaded', error)
      await new Promise((resolve) => window.addEventListener('pointerdown', resolve, { once: true }))
    }
  }
}

/** Early: users may drag a card as soon as they see it. */
const PATIENCE_MS = 250

let loading: Promise<Parts> | undefined
let loaded: Parts | undefined

/** Elements rendered from then on are draggable from the start: setting the attribute later would restyle their contents. */
export const hasDragAndDrop = () => loaded !== undefined

/** For effects: drag and drop loads after the first render. */
export function withDragAndDrop(begin: (parts: Parts) => () => void): () => void {
  if (loaded) return begin(loaded)
  let end = () => {}
  let isOver = false
  loading ??= new Promise<void>((resolve) => void whenIdle(resolve, PATIENCE_MS)).then(loadAtLast)
  void loading.then((parts) => {
    loaded = parts
    if (!isOver) end = begin(parts)
  })
  return () => {
    isOver = true
    end()
  }
}
