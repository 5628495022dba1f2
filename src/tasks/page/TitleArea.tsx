import type { ComponentProps } from 'react'
import { QuietTextArea } from '../../web/ui/Field'

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & { value: string; onValue(text: string): void }

export const TitleArea = ({ onValue, ...rest }: Props) => (
  <QuietTextArea
    rows={1}
    className="font-strong text-title"
    onChange={(event) => onValue(event.target.value.replace(/\s*\n\s*/g, ' '))}
    onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    {...rest}
  />
)
