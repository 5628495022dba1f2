import { toast } from './toast'

/** Of a script that did not arrive. Many browsers give it up then for as long as the page is there. */
export const tellLost = (title: string, description: string): number =>
  toast({
    variant: 'destructive',
    title,
    description,
    actions: [{ label: 'Reload', run: () => window.location.reload() }],
  })
