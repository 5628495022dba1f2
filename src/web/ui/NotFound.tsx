import { Link, useLocation } from '@tanstack/react-router'
import { Button } from './Button'

export const NotFound = () => (
  <main className="flex h-full">
    <NoSuchPage />
  </main>
)

/** If the page already has a frame. */
export function NoSuchPage() {
  const { pathname } = useLocation()
  return (
    <div className="flex flex-1 flex-col items-start justify-center gap-6 px-6 sm:px-16">
      <title>404 · wrk</title>
      <h1 className="max-w-[12ch] text-balance font-strong text-display tracking-display">404 Page Not Found</h1>
      <p className="max-w-[60ch] text-quiet">
        No route matches <code className="break-all rounded-card bg-column px-1 py-0.5 font-sans text-text">{pathname}</code>. Did
        you forget to add it to the router?
      </p>
      <Button asChild>
        <Link to="/">Go Home</Link>
      </Button>
    </div>
  )
}
