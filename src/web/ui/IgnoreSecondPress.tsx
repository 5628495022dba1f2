import { useLayoutEffect } from 'react'
import { ignoreSecondPress } from '../lastPress'

/** Within what a press opens: a double click is one press. So it is where one closes it, unless what is beside it `counts` meanwhile. */
export function IgnoreSecondPress({ counts = false }: { counts?: boolean }) {
  useLayoutEffect(() => {
    ignoreSecondPress()
    return counts ? undefined : ignoreSecondPress
  }, [counts])
  return null
}
