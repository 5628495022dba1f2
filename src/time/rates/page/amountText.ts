import { once } from '../../../schema'
import { CURRENCY } from '../schema'

const amountFormat = once(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: CURRENCY }))

export const amountText = (cents: number): string => amountFormat().format(cents / 100)
