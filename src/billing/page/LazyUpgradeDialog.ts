import { lazyComponent } from '../../web/lazy'

export const LazyUpgradeDialog = lazyComponent(() => import('./UpgradeDialog').then((module) => module.UpgradeDialog))
