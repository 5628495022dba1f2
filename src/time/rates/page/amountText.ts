import { lazy } from '../../../schema'
import { CURRENCY } from '../schema'

const amountFormat = lazy(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: CURRENCY }))

export const amountText = (cents: number): string => amountFormat().format(cents / 100)
