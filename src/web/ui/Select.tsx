import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The browser's own: the best on phones and for screen readers. */
export const Select = ({ className = '', ...rest }: ComponentProps<'select'>) => (
  <span className={`relative inline-flex ${className}`}>
    <select
      className="h-10 w-full appearance-none rounded-card bg-surface pr-8 pl-3 text-text ring-1 ring-edge ring-inset transition-shadow duration-150 outline-none focus:ring-text keyed:ring-2 aria-invalid:ring-danger disabled:opacity-60"
      {...rest}
    />
    <ChevronDown className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 size-4 text-quiet" aria-hidden />
  </span>
)
