export const Logo = ({ className = 'text-title' }: { className?: string }) => (
  <span className={`font-strong tracking-tight ${className}`}>
    wrk<span className="text-accent">.</span>
  </span>
)
