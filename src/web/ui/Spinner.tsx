export const Spinner = ({ className = 'size-4' }: { className?: string }) => (
  <svg className={`animate-spin ${className}`} viewBox="0 0 16 16" fill="none" aria-hidden="true">
    <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
    <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
  </svg>
)

export const LoadingRows = ({ label }: { label: string }) => (
  <div role="status" aria-label={label} className="skeleton-people h-40" />
)

export const FullScreenSpinner = () => (
  <div className="grid h-full place-items-center text-quiet" role="status" aria-label="Loading">
    <Spinner className="size-6" />
  </div>
)
