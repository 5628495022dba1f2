import { dismissToast, toast } from './toast'

let told = 0

/** Of a script that did not arrive. Many browsers give it up then for as long as the page is there. */
export function tellLost(title: string, description: string, options: { duration?: number } = {}): void {
  forgetLost()
  told = toast({
    variant: 'destructive',
    title,
    description,
    actions: [{ label: 'Reload', run: () => window.location.reload() }],
    ...options,
  })
}

export const forgetLost = (): void => dismissToast(told)
