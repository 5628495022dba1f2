import { createContext, use } from 'react'

/** The weekday on which the viewer's weeks start; 0 is Monday. */
export const FirstWeekday = createContext(0)
export const useFirstWeekday = (): number => use(FirstWeekday)
