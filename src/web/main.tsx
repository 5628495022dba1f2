import './jitless'

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from '../auth/cache'
import { router } from './router'
import { showTheme } from './theme'
import { queryClient } from './trpc'
import { Hints } from './ui/Hint'
import { Toasts } from './ui/Toasts'

showTheme()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// A change that is still on its way would be lost with the page.
window.addEventListener('beforeunload', (event) => {
  if (queryClient.isMutating({ mutationKey: ['board'] }) > 0) event.preventDefault()
})

// Asked for now: what is first to show depends on it.
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
