import { toastOnArrival } from './arrivalToast'
import { keepWayBack } from './wayBack'

const KEY = 'loggedOut'

/** Tells the browser's other tabs, whose session ends too, why it does. */
export function noteLogout(): void {
  try {
    localStorage.setItem(KEY, 'here')
  } catch {
    // Full, or not allowed: they say that the session has ended.
  }
}

export const forgetLogout = (): void => localStorage.removeItem(KEY)

let isDisabled = false

/** The session ends next. */
export function noteDisabled(): void {
  isDisabled = true
}

/** Leads to where one signs in again, and says why. */
export function leaveEndedSession(userId: number): void {
  keepWayBack(userId)
  const isLogout = localStorage.getItem(KEY) !== null
  if (isLogout) toastOnArrival({ title: 'Signed Out', description: 'You signed out in another tab.' })
  const why = isDisabled ? 'account_disabled' : 'session_expired'
  window.location.replace(isLogout ? '/login' : `/login?error=${why}`)
}
