import { refusalOf } from '../../web/refusal'

export const REQUEST_FAILED = {
  failure: (error: unknown) => ({
    title: 'Request Failed',
    description: refusalOf(error)?.message || 'Could not process your request. Please try again later.',
  }),
}
