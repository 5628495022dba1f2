import { useEffect, useState } from 'react'
import { forgetLost, tellLost } from '../../web/tellLost'
import { UNTIL_DISMISSED } from '../../web/toast'
import { whenIdle } from '../../web/whenIdle'

const load = () => import('../schema')

export type Schemas = Awaited<ReturnType<typeof load>> | undefined

const AGAIN_MS = 1_000
const FAILURES_UNTOLD = 2
const LOST = 'A part of this form could not be loaded. If it stays so, reload the page.'

/** What somebody does who uses the page. Focus is none of it: the page gives it by itself. */
const USES = ['pointerdown', 'keydown', 'input'] as const

/** What validates the forms is half as large as all else on the page, and takes a phone a quarter of a second to run: so only once somebody uses them. */
export function useSchemas(): Schemas {
  const [schemas, setSchemas] = useState<Schemas>()
  useEffect(() => {
    let isBegun = false
    let failures = 0
    const tell = () => {
      if (failures > FAILURES_UNTOLD) tellLost('Not Ready', LOST, { duration: UNTIL_DISMISSED })
    }
    const attempt = () =>
      void load().then(
        (loaded) => {
          failures = 0
          forgetLost()
          setSchemas(loaded)
        },
        () => {
          failures += 1
          if (failures === FAILURES_UNTOLD + 1) tell()
          setTimeout(attempt, AGAIN_MS)
        },
      )
    const begin = () => {
      if (!isBegun) attempt()
      isBegun = true
    }
    const gone = new AbortController()
    const options = { capture: true, once: true, signal: gone.signal }
    // What was typed shows first.
    for (const use of USES) window.addEventListener(use, () => whenIdle(begin), options)
    window.addEventListener('submit', begin, options)
    window.addEventListener('submit', tell, { capture: true, signal: gone.signal })
    return () => gone.abort()
  }, [])
  return schemas
}
