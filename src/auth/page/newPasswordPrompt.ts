const KEY = 'chooseNewPassword'

/** After a reset link, the dashboard asks once for a new password; kept for this tab alone. */
export const askForPassword = (): void => sessionStorage.setItem(KEY, '1')
export const asksForPassword = (): boolean => sessionStorage.getItem(KEY) !== null
export const passwordAsked = (): void => sessionStorage.removeItem(KEY)
