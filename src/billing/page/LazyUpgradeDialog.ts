import { lazyOverlay } from '../../web/ui/lazyOverlay'

export const LazyUpgradeDialog = lazyOverlay(() => import('./UpgradeDialog').then((module) => module.UpgradeDialog))
