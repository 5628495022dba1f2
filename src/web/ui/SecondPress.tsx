import { useLayoutEffect } from 'react'
import { ignoreSecondPress } from '../lastPress'

/** Within what a press opens or closes: a double click is one press. */
export function SecondPress() {
  useLayoutEffect(() => {
    ignoreSecondPress()
    return ignoreSecondPress
  }, [])
  return null
}
