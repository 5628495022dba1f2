/** Whoever uses it, may have its source. */
export const SourceLink = ({ className = '' }: { className?: string }) => (
  <a href="/api/source" className={className}>
    Source (AGPL-3.0)
  </a>
)
