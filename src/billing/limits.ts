export const PRO_PRICE = '$10 CAD'

export const ALREADY_SUBSCRIBED = 'You are already subscribed to the Pro plan.'
export const NOT_SET_UP = 'Payments are not set up on this server.'
export const OUT_OF_REACH = 'The payment provider could not be reached. Nothing was charged. Please try again.'
export const NOT_SUBSCRIBED = 'There is no subscription to change.'
export const NOTHING_TO_PAY = 'There is no unpaid invoice.'
export const DECLINED = 'Your card was declined.'

export const ONE_BOARD_ON_FREE = 'On the Free plan, you can change only your first board. To change the others, upgrade to Pro.'

export const PAID_AT = '/?payment_success=true'

export const NOT_CONFIRMED = 'Your bank did not confirm the payment. Nothing was charged.'
