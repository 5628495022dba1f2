import { useLayoutEffect } from 'react'
import { ignoreSecondPress } from '../lastPress'

/** Ignores the second press of a double click that opens the layer it is in; where that is `modal`, of one that closes it, too. */
export function IgnoreSecondPress({ modal = true }: { modal?: boolean }) {
  useLayoutEffect(() => {
    ignoreSecondPress()
    return modal ? ignoreSecondPress : undefined
  }, [modal])
  return null
}
