import { useSyncExternalStore } from 'react'

/** False in the HTML that the server sends. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
