import { useState } from 'react'
import { Input } from '../../web/ui/Field'
import { SEARCHED_ABOVE } from '../basics'
import { displayName, type UserSummary } from '../schema'

/** Those of a list whose name has what was typed into `field`, which only a long list has. */
export function useFound(people: UserSummary[]) {
  const [text, setText] = useState('')
  const isLong = people.length > SEARCHED_ABOVE
  const wanted = text.trim().toLocaleLowerCase()
  const has = (user: UserSummary) => [displayName(user).toLocaleLowerCase(), user.username].some((name) => name.includes(wanted))
  const found = isLong && wanted ? people.filter(has) : people
  const field = isLong && (
    <>
      <Input
        className="h-9 shrink-0"
        aria-label="Find a person"
        placeholder="Find a person"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-1 text-quiet'}>
        {wanted && (found.length === 0 ? 'No one of that name.' : `${found.length} found`)}
      </p>
    </>
  )
  return { found, field, isLong }
}
