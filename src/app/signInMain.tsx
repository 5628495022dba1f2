import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type SignInOptions, signInScreenAt } from '../auth/limits'
import { followReturnUrl, forgetFormerUser, invited } from '../auth/page/returnUrl'
import { showArrivalToast } from '../auth/page/signIn'
import { ignoreKeysOfComposition } from '../web/keyboard'
import { registerServiceWorker } from '../web/offlineScripts'
import { markFocusByPointer, watchPresses } from '../web/pointer'
import { showTheme } from '../web/theme'
import { SignIn } from './SignIn'

showTheme()
ignoreKeysOfComposition()
watchPresses()
markFocusByPointer()
showArrivalToast()

const root = document.getElementById('root')
const given = document.getElementById('options')?.textContent
if (!root || !given) throw new Error('the document has no #root, or no #options')

// Our own server wrote it.
const options = JSON.parse(given) as SignInOptions
if (options.isSignedOut) void forgetFormerUser()
if (new URLSearchParams(window.location.search).has('invited')) followReturnUrl()

const page = <SignIn screen={signInScreenAt(window.location)} options={options} />
// For an invited user it says something other than the HTML.
const isWritten = root.hasChildNodes() && !invited()
// In slices, so that input never waits for long.
startTransition(() => {
  if (isWritten) hydrateRoot(root, page)
  else createRoot(root).render(page)
})

registerServiceWorker()
