import { Button } from '../../web/ui/Button'
import type { SignInOptions } from '../basics'

type Props = Pick<SignInOptions, 'providers'> & {
  remember: boolean
  invitation: string | undefined
  setup: string | undefined
  only?: boolean
}

export function Providers({ providers, remember, invitation, setup, only }: Props) {
  if (providers.length === 0) return null
  const wishes = new URLSearchParams({
    ...(remember && { remember: '1' }),
    ...(invitation && { invitation }),
    ...(setup && { setup }),
  }).toString()
  return (
    <div className="flex flex-col gap-3">
      {!only && <Or />}
      {providers.map(({ id, name }) => (
        <Button key={id} asChild size="large" look={only ? 'primary' : 'plain'}>
          <a href={`/api/auth/oauth/${id}${wishes && `?${wishes}`}`}>Continue with {name}</a>
        </Button>
      ))}
    </div>
  )
}

const Or = () => (
  <p className="flex items-center gap-3 text-quiet text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    or
  </p>
)
