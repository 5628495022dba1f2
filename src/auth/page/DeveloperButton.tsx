import { Button } from '../../web/ui/Button'
import { useDevLogin, useServerOptions } from './cache'

export function DeveloperButton({ arrive }: { arrive(): void }) {
  const devLogin = useDevLogin({ arrive })
  if (!useServerOptions()?.devLogin) return null
  return (
    <Button size="large" busy={devLogin.isPending} onClick={() => devLogin.mutate()}>
      Continue as developer
    </Button>
  )
}
