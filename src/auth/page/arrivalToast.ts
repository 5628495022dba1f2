import { toast } from '../../web/toast'

type Text = Parameters<typeof toast>[0]

const KEY = 'arrivalToast'

export const toastOnArrival = (text: Text): void => sessionStorage.setItem(KEY, JSON.stringify(text))

export function showArrivalToast(): void {
  const stored = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  if (stored) toast(JSON.parse(stored) as Text)
}
