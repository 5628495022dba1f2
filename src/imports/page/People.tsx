import type { ChangeEvent } from 'react'
import { Field } from '../../web/ui/Field'
import { Select } from '../../web/ui/Select'
import type { Preview } from '../schema'
import { countText } from './display'
import { Folded } from './Folded'

type Props = { people: Preview['people']; me: string; onMe(me: string): void }

/** Who of them is the importer, is theirs to say. */
export function People({ people, me, onMe }: Props) {
  return (
    <>
      <Field label="You are" hint="What bears that name becomes yours.">
        {(tied) => (
          <Select
            {...tied}
            className="w-full max-w-sm"
            value={me}
            onChange={(event: ChangeEvent<HTMLSelectElement>) => onMe(event.target.value)}
          >
            <option value="">None of them</option>
            {people
              .filter(({ former }) => !former)
              .map(({ id, name, email }) => (
                <option key={id} value={id}>
                  {email ? `${name} (${email})` : name}
                </option>
              ))}
          </Select>
        )}
      </Field>
      <Folded of={people} label="People">
        {({ id, name, email, rows }) => (
          <li key={id} className="flex items-baseline gap-3 py-2">
            <div className="min-w-0 flex-1">
              <bdi className="wrap-anywhere">{name}</bdi>
              {String(id) === me && <span className="ml-2 text-quiet text-small">You</span>}
              {email && <span className="wrap-anywhere block text-quiet text-small">{email}</span>}
            </div>
            <span className="tabular shrink-0 text-quiet text-small">
              {rows > 0 && `named ${rows === 1 ? 'once' : countText(rows, 'time')}`}
            </span>
          </li>
        )}
      </Folded>
    </>
  )
}
