import { createRoot, hydrateRoot } from 'react-dom/client'
import { entranceAt, type SignInOptions } from '../auth/basics'
import { showArrivalToast } from '../auth/page/arrivalToast'
import { invited } from '../auth/page/wayBack'
import { markFocusByPointer } from '../web/focusByPointer'
import { registerShell } from '../web/registerShell'
import { showTheme } from '../web/theme'
import { SignIn } from './SignIn'

showTheme()
markFocusByPointer()
showArrivalToast()

const root = document.getElementById('root')
const given = document.getElementById('options')?.textContent
if (!root || !given) throw new Error('entrance.html has no #root, or no #options')

// Our own server wrote it.
const page = <SignIn entrance={entranceAt(window.location)} options={JSON.parse(given) as SignInOptions} />
// To whoever was invited it says something else than the HTML.
if (root.hasChildNodes() && !invited()) hydrateRoot(root, page)
else createRoot(root).render(page)

registerShell()
