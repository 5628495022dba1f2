import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { checkout, subscriptionStatus } from '../schema'
import { billingRouter } from './router'

const { get, post } = restCalls('billing', billingRouter)

export const billingRest = [
  get('/api/subscription-status', 'status', "How it goes on with one's subscription", subscriptionStatus),
  post(
    '/api/get-or-create-subscription',
    'setUp',
    'Begin to subscribe to Pro, or go on with what was begun; answers what the card form needs',
    checkout,
    { refuses: [412] },
  ),
  post('/api/cancel-subscription', 'cancel', 'End the subscription with its period', success, { refuses: [412] }),
  post('/api/resume-subscription', 'resume', 'Let a subscription that was to end go on', success, { refuses: [412] }),
  post('/api/dev/checkout', 'simulatePayment', 'Pay, or be declined, where payment is only simulated', success, {
    refuses: [402, 404],
  }),
  post('/api/dev/end-period', 'simulatePeriodEnd', "End one's billing period, where payment is only simulated", success, {
    refuses: [404],
  }),
]
