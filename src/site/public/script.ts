import { forgetFormerUser, takeReturnUrl } from '../../auth/page/returnUrl'
import { chooseTheme, chosenTheme, showTheme, type Theme } from '../../web/theme'

showTheme()
// Served to signed-out users, who are no longer following an invitation.
if (window.location.pathname === '/') {
  takeReturnUrl()
  void forgetFormerUser()
}
for (const choice of document.querySelectorAll<HTMLInputElement>('[data-theme-switch] input')) {
  choice.checked = choice.value === chosenTheme()
  // The values are the switch's own.
  choice.addEventListener('change', () => chooseTheme(choice.value as Theme))
}
