import { Spinner } from './Spinner'
import { TypeAhead } from './TypeAhead'

/** The fallback of a dialog: says soon that it comes, but not where it comes at once, and keeps keys from what is below. */
export const Opening = () => (
  <>
    <TypeAhead />
    <p
      role="status"
      className="fixed top-1/3 left-1/2 z-50 flex -translate-x-1/2 animate-late items-center gap-2 rounded-card bg-raised px-3 py-2 text-quiet shadow-panel"
    >
      <Spinner className="size-4" />
      Opening…
    </p>
  </>
)
