import { clickAcross } from './clickAcross'
import { loadAfterPaint } from './loadAfterPaint'

/** In steps, for nothing that one does is answered while a script begins: React, router and query cache, what opens over a page, the rest. */
async function begin() {
  await loadAfterPaint()
  await import('react-dom/client')
  await import('../users/page/AvatarGroup')
  await import('../web/ui/Hint')
  await import('./routes')
  await import('./start')
}

clickAcross()
void begin()
