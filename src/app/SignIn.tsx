import type { SignInOptions, SignInScreen } from '../auth/limits'
import { LoginPage } from '../auth/page/LoginPage'
import { SetupPage } from '../auth/page/SetupPage'
import { VerifyPage } from '../auth/page/VerifyPage'
import { Toasts } from '../web/ui/Toasts'

/** The pages for signing in: the server renders them, and the browser hydrates them. */
export const SignIn = ({ screen, options }: { screen: SignInScreen; options: SignInOptions }) => (
  <>
    {screen === 'verify' ? (
      <VerifyPage options={options} />
    ) : screen === 'setup' ? (
      <SetupPage options={options} />
    ) : (
      <LoginPage first={screen} options={options} />
    )}
    <Toasts />
  </>
)
