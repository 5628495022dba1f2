import type { Entrance, SignInOptions } from '../auth/limits'
import { LoginPage } from '../auth/page/LoginPage'
import { SetupPage } from '../auth/page/SetupPage'
import { VerifyPage } from '../auth/page/VerifyPage'
import { Toasts } from '../web/ui/Toasts'

/** The pages for signing in: the server renders them, and the browser hydrates them. */
export const SignIn = ({ entrance, options }: { entrance: Entrance; options: SignInOptions }) => (
  <>
    {entrance === 'verify' ? (
      <VerifyPage options={options} />
    ) : entrance === 'setup' ? (
      <SetupPage options={options} />
    ) : (
      <LoginPage first={entrance} options={options} />
    )}
    <Toasts />
  </>
)
