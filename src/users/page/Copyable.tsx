import Copy from 'lucide-react/icons/copy'
import { copyText } from '../../web/toast'
import { Hint } from '../../web/ui/Hint'

type Props = { shown: string; text: string; label: string; copied: string }

export const Copyable = ({ shown, text, label, copied }: Props) => (
  <div className="flex min-w-0 items-center gap-1 text-quiet">
    <Hint text={text} soon>
      <span className="min-w-0 truncate">{shown}</span>
    </Hint>
    <button
      type="button"
      aria-label={label}
      onClick={() => copyText(text, copied)}
      className="grid size-icon shrink-0 place-items-center rounded-card hover:bg-hover hover:text-text"
    >
      <Copy className="size-3.5" aria-hidden />
    </button>
  </div>
)
