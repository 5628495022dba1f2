import type { ChangeEvent, ComponentProps } from 'react'
import { Input } from '../../web/ui/Field'
import { normalizeUsername } from '../schema'

type Props = Omit<ComponentProps<'input'>, 'onChange'> & { onChange(event: ChangeEvent<HTMLInputElement>): void }

export const UsernameInput = ({ onChange, ...rest }: Props) => (
  <Input
    autoComplete="username"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    {...rest}
    onChange={(event) => {
      strip(event)
      onChange(event)
    }}
  />
)

function strip({ currentTarget: input, nativeEvent }: ChangeEvent<HTMLInputElement>) {
  const bare = normalizeUsername(input.value)
  const composing = 'isComposing' in nativeEvent && nativeEvent.isComposing
  if (bare === input.value || composing) return
  const caret = normalizeUsername(input.value.slice(0, input.selectionStart ?? undefined)).length
  input.value = bare
  input.setSelectionRange(caret, caret)
}
