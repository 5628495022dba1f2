import type { SignInOptions } from '../auth/basics'
import { LoginPage } from '../auth/page/LoginPage'
import { VerifyPage } from '../auth/page/VerifyPage'
import { Toasts } from '../web/ui/Toasts'

/** The documents on which one signs in: the build renders them, and the browser goes on from there. */
export const SignIn = ({ path, options }: { path: string; options: SignInOptions }) => (
  <>
    {path === '/auth/verify' ? <VerifyPage options={options} /> : <LoginPage options={options} />}
    <Toasts />
  </>
)
