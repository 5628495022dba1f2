import { lazy } from '../../basics'
import { forgetChanges, keepChangesInTab } from '../../web/live/kept'
import { forgetAnswers } from '../../web/live/keptAnswers'
import { forgetFormerUser, keepWayBack } from './wayBack'

/** Between the tabs of this browser, and nowhere kept. */
const tabs = lazy(() => new BroadcastChannel('wrk sign-out'))

/** Tells the browser's other tabs, whose session ends too, why it does; or that it does not, after all. */
export const noteLogout = (isLogout: boolean): void => tabs().postMessage(isLogout)

let isLogout = false

export function hearLogout(): void {
  tabs().onmessage = ({ data }: MessageEvent<boolean>) => {
    isLogout = data
  }
}

let isDisabled = false

/** The session ends next. */
export function noteDisabled(): void {
  isDisabled = true
}

/** Nothing of who signs out stays in the browser. */
export async function forgetEverything(): Promise<void> {
  await Promise.allSettled([forgetAnswers(), forgetChanges()])
  localStorage.clear()
  sessionStorage.clear()
}

let isLeaving = false

/** Leads to where one signs in again, and says why. What was typed in this tab waits there for the same person. */
export async function leaveEndedSession(userId: number): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  if (isLogout) await forgetEverything()
  else {
    await Promise.allSettled([keepChangesInTab(), forgetAnswers()])
    keepWayBack(userId)
    await forgetFormerUser()
  }
  const ended = isDisabled ? 'account_disabled' : 'session_expired'
  // In the address, because signing out clears the storages of all tabs, and may do so only after this.
  window.location.replace(`/login?error=${isLogout ? 'signed_out' : ended}`)
}
