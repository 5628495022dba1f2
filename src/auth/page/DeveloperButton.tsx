import { Button } from '../../web/ui/Button'
import { useDevLogin } from './signIn'

export function DeveloperButton() {
  const login = useDevLogin()
  return (
    <Button size="large" busy={login.busy} onClick={() => void login.run()}>
      Continue as developer
    </Button>
  )
}
