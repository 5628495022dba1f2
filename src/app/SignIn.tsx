import type { Entrance, SignInOptions } from '../auth/basics'
import { LoginPage } from '../auth/page/LoginPage'
import { SetupPage } from '../auth/page/SetupPage'
import { VerifyPage } from '../auth/page/VerifyPage'
import { Toasts } from '../web/ui/Toasts'

/** The documents on which one signs in: the build renders them, and the browser goes on from there. */
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
