import type { ComponentProps } from 'react'
import { Select } from '../../web/ui/Select'
import { STATUS_LABELS, STATUSES, type Status } from '../basics'

type Props = Omit<ComponentProps<typeof Select>, 'value' | 'onChange'> & { value: Status; onChange(status: Status): void }

export const StatusSelect = ({ value, onChange, ...rest }: Props) => (
  <Select
    value={value}
    onChange={(event) => onChange(STATUSES.find((status) => status === event.target.value) ?? 'todo')}
    {...rest}
  >
    {STATUSES.map((status) => (
      <option key={status} value={status}>
        {STATUS_LABELS[status]}
      </option>
    ))}
  </Select>
)
