import type { ComponentProps } from 'react'
import { lazyComponent } from '../../web/lazy'

const NotLoaded = () => <p className="text-quiet">The activity could not be loaded. Reload the page to see it.</p>
const Feed = lazyComponent(() => import('./Feed').then((module) => module.Feed), NotLoaded)

const WithFallback = (props: ComponentProps<typeof Feed>) => <Feed fallback={<div className="h-32" aria-busy />} {...props} />
export const LazyFeed = Object.assign(WithFallback, { load: Feed.load, isLoaded: Feed.isLoaded })
