import { toast, UNTIL_DISMISSED } from './toast'

/** For a toast about something that was deleted while the user was writing in it. */
export const withCopy = (text: string) => ({
  description: 'What you were writing in it is not lost.',
  duration: UNTIL_DISMISSED,
  actions: [{ label: 'Copy my text', run: () => void copyText(text) }],
})

export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied' })
  } catch {
    // Without access to the clipboard the text is shown to be copied by hand.
    toast({ title: 'Your text', description: text, duration: UNTIL_DISMISSED })
  }
}
