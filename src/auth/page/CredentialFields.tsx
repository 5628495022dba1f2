import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { refusalOf } from '../../web/refusal'
import { Field, Input } from '../../web/ui/Field'

export function PasswordInput(props: ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-11" autoCapitalize="none" spellCheck={false} />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  )
}

export const OwnPassword = ({ error, ...rest }: ComponentProps<'input'> & { error: string | undefined }) => (
  <Field label="Your password" error={error}>
    {(tied) => <PasswordInput {...tied} {...rest} autoComplete="current-password" />}
  </Field>
)

type Call = { error: Error | null; reset(): void }
type ConfirmProps = { call: Call; value: string; onValue(text: string): void; isMissing?: boolean }

/** Confirms `call`. A refused password stays in the field with the refusal until it is changed. */
export function ConfirmPassword({ call, value, onValue, isMissing = false }: ConfirmProps) {
  const refusal = refusalOf(call.error)
  return (
    <OwnPassword
      error={isMissing ? 'Enter your password.' : refusal?.code === 'FORBIDDEN' ? refusal.message : undefined}
      value={value}
      onChange={(event) => {
        onValue(event.target.value)
        call.reset()
      }}
    />
  )
}
