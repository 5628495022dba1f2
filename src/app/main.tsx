import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from '../auth/page/cache'
import { keepsChanges } from '../web/live/kept'
import { unsent } from '../web/live/pending'
import { setSnapshotReducers } from '../web/live/snapshot'
import { onSessionEnd, queryClient } from '../web/queryClient'
import { registerShell } from '../web/registerShell'
import { showTheme } from '../web/theme'
import { Hints } from '../web/ui/Hint'
import { Toasts } from '../web/ui/Toasts'
import { router } from './routes'
import { snapshotReducers } from './snapshotReducers'

showTheme()
setSnapshotReducers(snapshotReducers)
onSessionEnd(() => {
  const wasSignedIn = !!queryClient.getQueryData(sessionQuery().queryKey)
  if (wasSignedIn) window.location.assign('/login?error=session_expired')
  return wasSignedIn
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Without a store in the browser, what is on its way would be lost with the page.
window.addEventListener('beforeunload', (event) => {
  if (!keepsChanges && unsent() > 0) event.preventDefault()
})

// Started at once: what shows first depends on it.
void queryClient.prefetchQuery(sessionQuery())

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Hints>
        <RouterProvider router={router} />
        <Toasts />
      </Hints>
    </QueryClientProvider>
  </StrictMode>,
)

registerShell()
