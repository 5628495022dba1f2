import { forgetFormerUser, takeReturnUrl } from '../../auth/page/returnUrl'
import { chooseTheme, chosenTheme, showTheme, type Theme } from '../../web/theme'

showTheme()
// Served to signed-out users, who follow no invitation any more.
if (window.location.pathname === '/') {
  takeReturnUrl()
  void forgetFormerUser()
}
for (const choice of document.querySelectorAll<HTMLInputElement>('[data-theme-switch] input')) {
  choice.checked = choice.value === chosenTheme()
  // The values are those of the switch itself.
  choice.addEventListener('change', () => chooseTheme(choice.value as Theme))
}
