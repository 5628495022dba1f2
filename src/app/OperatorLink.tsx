import { Link } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { useViewer } from '../auth/page/cache'
import { Hint } from '../web/ui/Hint'

export const OperatorLink = () =>
  useViewer().operator && (
    <Hint text="Operator">
      <Link
        to="/operator"
        aria-label="Operator"
        className="grid size-8 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
      >
        <Wrench className="size-4" aria-hidden />
      </Link>
    </Hint>
  )
