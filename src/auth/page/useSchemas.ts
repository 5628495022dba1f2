import { useEffect, useState } from 'react'
import { whenIdle } from '../../web/whenIdle'

const load = () => import('../schema')

export type Schemas = Awaited<ReturnType<typeof load>> | undefined

/** What validates the forms is half as large as all else on the page, and is needed only when something is sent. */
export function useSchemas(): Schemas {
  const [schemas, setSchemas] = useState<Schemas>()
  useEffect(() => void whenIdle(() => void load().then(setSchemas)), [])
  return schemas
}
