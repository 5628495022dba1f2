import { createContext, use } from 'react'
import { lazy } from '../lazy'
import type { Settings } from '../protocol'

export const settings = lazy((): Settings => JSON.parse(document.getElementById('settings')?.textContent ?? 'null'))

/** The weekday on which the viewer's weeks start; 0 is Monday. */
export const FirstWeekday = createContext(0)
export const useFirstWeekday = (): number => use(FirstWeekday)
