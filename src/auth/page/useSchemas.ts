import { useEffect, useState } from 'react'
import { whenIdle } from '../../web/whenIdle'

const load = () => import('../schema')

export type Schemas = Awaited<ReturnType<typeof load>> | undefined

const AGAIN_MS = 1_000

/** What validates the forms is half as large as all else on the page, and is needed only when something is sent. */
export function useSchemas(): Schemas {
  const [schemas, setSchemas] = useState<Schemas>()
  useEffect(() => {
    const attempt = () => void load().then(setSchemas, () => setTimeout(attempt, AGAIN_MS))
    whenIdle(attempt)
  }, [])
  return schemas
}
