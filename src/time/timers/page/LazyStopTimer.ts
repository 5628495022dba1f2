import { lazyComponent } from '../../../web/lazy'

/** Its form brings what validates it, which nobody needs who only looks at a timer. */
export const LazyStopTimer = lazyComponent(() => import('./StopTimer').then((module) => module.StopTimer))
