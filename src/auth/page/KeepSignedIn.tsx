import type { ComponentProps } from 'react'

export const KeepSignedIn = (props: ComponentProps<'input'>) => (
  <label className="flex min-h-6 cursor-pointer items-center gap-2 self-start">
    <input type="checkbox" className="size-4 accent-text" {...props} />
    Keep me signed in
  </label>
)
