import { X } from 'lucide-react'
import type { Chip } from './parseQuickAdd'

export function Chips({ chips, onTakeBack }: { chips: Chip[]; onTakeBack(chip: Chip): void }) {
  const once = [...new Map(chips.map((chip) => [chip.text, chip])).values()]
  if (once.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1" aria-label="Understood">
      {once.map((chip) => (
        <li key={chip.text} className="min-w-0">
          <button
            type="button"
            aria-label={`${chip.label}: take it as text`}
            onClick={() => onTakeBack(chip)}
            className="flex h-6 max-w-full items-center gap-1 rounded-[4px] bg-surface px-1.5 text-small hover:bg-hover"
          >
            <span dir="auto" className="min-w-0 truncate">
              {chip.label}
            </span>
            <X className="size-3 shrink-0 text-quiet" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
