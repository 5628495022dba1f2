import { lazyOverlay } from '../../../web/ui/lazyOverlay'

/** Its form brings what validates it, which nobody needs who only looks at a timer. */
export const LazyStopTimer = lazyOverlay(() => import('./StopTimer').then((module) => module.StopTimer))
