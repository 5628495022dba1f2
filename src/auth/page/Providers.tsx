import { Button } from '../../web/ui/Button'
import type { SignInOptions } from '../basics'

export function Providers({ providers, remember }: Pick<SignInOptions, 'providers'> & { remember: boolean }) {
  if (providers.length === 0) return null
  return (
    <div data-providers className="flex flex-col gap-3">
      <p className="flex items-center gap-3 text-quiet text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <Button key={id} asChild size="large">
          <a href={`/api/auth/oauth/${id}${remember ? '?remember=1' : ''}`}>Continue with {name}</a>
        </Button>
      ))}
    </div>
  )
}
