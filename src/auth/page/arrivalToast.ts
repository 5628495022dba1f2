import { toast } from '../../web/toast'

type Text = Parameters<typeof toast>[0]

const KEY = 'arrivalToast'

/** For the dashboard, which a full load leads to. */
export const toastOnArrival = (text: Text): void => sessionStorage.setItem(KEY, JSON.stringify(text))

export function showArrivalToast(): void {
  const stored = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  // Only toastOnArrival writes it.
  if (stored) toast(JSON.parse(stored) as Text)
}
