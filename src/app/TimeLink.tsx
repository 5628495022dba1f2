import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'

export const TimeLink = ({ onNavigate }: { onNavigate?(): void }) => (
  <Link
    to="/time"
    onClick={onNavigate}
    className="-my-1 flex items-center gap-2 rounded-card px-2 py-1.5 text-quiet hover:bg-hover hover:text-text data-[status=active]:bg-column data-[status=active]:font-strong data-[status=active]:text-text"
  >
    <CalendarClock className="size-4" aria-hidden />
    My time
  </Link>
)
