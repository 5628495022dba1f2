import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { fileCount } from '../attachments/page/reducers'
import { leaveEndedSession } from '../auth/page/cache'
import { showArrivalToast } from '../auth/page/signIn'
import { boardReducers } from '../boards/page/reducers'
import { commentCount } from '../comments/page/reducers'
import { taskReducers } from '../tasks/page/reducers'
import { taskMinutes } from '../time/page/reducers'
import { sessionQuery } from '../users/page/viewer'
import { ignoreKeysOfComposition } from '../web/keyboard'
import { unanswered } from '../web/live/pendingChanges'
import { setSnapshotReducers } from '../web/live/reducers'
import { endsWithTab } from '../web/live/storedChanges'
import { onSessionEnd } from '../web/mutationToasts'
import { registerServiceWorker } from '../web/offlineScripts'
import { markFocusByPointer, watchPresses } from '../web/pointer'
import { queryClient } from '../web/queryClient'
import { sleep } from '../web/scheduling'
import { showTheme } from '../web/theme'
import { Hints } from '../web/ui/Hint'
import { watchBack } from '../web/ui/layer'
import { Toasts } from '../web/ui/Toasts'
import { ignoreStrayFiles } from '../web/useFileDrops'
import { router } from './routes'

export async function start() {
  showTheme()
  ignoreKeysOfComposition()
  watchPresses()
  markFocusByPointer()
  ignoreStrayFiles()
  showArrivalToast()
  setSnapshotReducers(snapshotReducers)
  onSessionEnd(leave)
  // If nothing outlives the tab, unsent changes would be lost.
  window.addEventListener('beforeunload', (event) => {
    if (endsWithTab() && unanswered() > 0) event.preventDefault()
  })
  registerServiceWorker()
  const root = document.getElementById('root')
  if (!root) throw new Error('the document has no #root')
  await show(root)
}

function leave() {
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  if (!user) return false
  void leaveEndedSession(user.id)
  return true
}

async function show(element: HTMLElement) {
  const session = queryClient.prefetchQuery(sessionQuery())
  // Each starts in its own task.
  await sleep(0)
  // By itself the router subscribes only after the first paint: an earlier click on a card, or Back, would be missed.
  router.history.subscribe(router.load)
  watchBack(router)
  await Promise.allSettled([session, router.load()])
  await Promise.race([whenRead(), sleep(element.querySelector('[aria-busy]') ? WITH_CONTENTS_MS : PATIENCE_MS)])
  // In slices, so that input never waits long.
  startTransition(() => createRoot(element).render(page))
}

/** Until then the server's HTML stays. */
const PATIENCE_MS = 1_000
const WITH_CONTENTS_MS = 8_000

const whenRead = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (queryClient.isFetching() > 0) return
      stop()
      resolve()
    }
    const stop = queryClient.getQueryCache().subscribe(look)
    look()
  })

const page = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Hints>
        <RouterProvider router={router} />
      </Hints>
      <Toasts />
    </QueryClientProvider>
  </StrictMode>
)

export const snapshotReducers = [boardReducers, taskReducers, commentCount, fileCount, taskMinutes]
