const KEY = 'chooseNewPassword'

export const askForPassword = (): void => sessionStorage.setItem(KEY, '1')
export const asksForPassword = (): boolean => sessionStorage.getItem(KEY) !== null
export const passwordAsked = (): void => sessionStorage.removeItem(KEY)
