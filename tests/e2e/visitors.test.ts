import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { button, failsOnce, heldBack, isTitled, leads, press, says, toast, told, type } from '../support/page'

const password = (page: Page) => page.getByLabel('Password', { exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** What the sections of the legal pages are about, in their order. */
const SECTIONS = {
  '/terms': [/introduction/i, /service/i, /account/i, /fair play/i, /subscription and billing/i, /privacy/i].concat([
    /intellectual property/i,
    /termination/i,
    /liability/i,
    /changes/i,
    /contact/i,
  ]),
  '/privacy': Array.from({ length: 10 }, () => /./),
  '/refund': [/no-refund/i, /no partial refunds/i, /cancelling/i, /after/i, /./, /contact/i],
}
const LEGAL_TEXTS = {
  '/terms': [
    'Canadian dollars',
    'billed in advance',
    'renews automatically',
    'we may suspend',
    'at our discretion',
    'not liable',
  ],
  '/privacy': ['Canadian privacy law', 'PIPEDA', 'Contact:', 'Profile:', 'Content:', 'Preferences:', 'payment processor'].concat(
    'Logs:',
    'Device data:',
    'We do not sell',
    'children under 16',
    'to access your personal information, to have it updated or corrected, and to have it deleted',
  ),
  '/refund': [
    'strict no-refund policy',
    'no partial refunds',
    'reverts to the Free plan',
    'first board',
    'read-only until you upgrade',
  ],
}

inChromium('a visitor', (site) => {
  const arrived = async (path: string) => {
    const page = await site.open('visitor')
    await page.goto(path)
    return page
  }

  test('sees what moves move without being painted anew, until they pause it', async () => {
    const page = await site.open('visitor', { reducedMotion: 'no-preference' })
    await page.goto('/')
    const moving = () =>
      page.evaluate(() => {
        const given = ['offset', 'computedOffset', 'easing', 'composite']
        const animations = document.getAnimations()
        const frames = animations.flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
        const changed = new Set(frames.flatMap(Object.keys).filter((name) => !given.includes(name)))
        return { changed: [...changed].sort(), states: [...new Set(animations.map(({ playState }) => playState))] }
      })
    expect(await moving()).toEqual({ changed: ['opacity', 'scale', 'transform'], states: ['running'] })
    await page.getByRole('checkbox', { name: 'Pause the animation' }).check()
    expect((await moving()).states).toEqual(['paused'])
  })

  for (const path of ['/', '/terms', '/privacy', '/refund'])
    test(`finds a rule for each class of ${path}: its stylesheet knows all that it is made of`, async () => {
      const page = await arrived(path)
      const missing = await page.evaluate(() => {
        const rulesIn = (rule: CSSRule): string =>
          'cssRules' in rule
            ? [(rule as CSSStyleRule).selectorText ?? '', ...[...(rule as CSSGroupingRule).cssRules].map(rulesIn)].join(' ')
            : ((rule as CSSStyleRule).selectorText ?? '')
        const selectors = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(rulesIn)).join(' ')
        const classes = [...document.querySelectorAll('[class]')].flatMap((element) => [...element.classList])
        return [...new Set(classes)].filter((name) => !/^lucide/.test(name) && !selectors.includes(`.${CSS.escape(name)}`))
      })
      expect(missing).toEqual([])
    })

  test('sees a landing page that says what this is, and leads to logging in', async () => {
    const page = await arrived('/')
    await page.getByRole('heading', { level: 1, name: 'wrk smart.' }).waitFor()
    await says(page, /Canadian collaboration platform/)
    expect(await leads(page, 'wrk home page', 'Log in', 'Get Started', 'Start for free')).toEqual([
      '/',
      '/login',
      '/login?register',
      '/login?register',
    ])
    for (const name of ['Organize Tasks', 'Collaborate Seamlessly', 'Track Your Time'])
      await page.getByRole('heading', { name }).waitFor()
    expect(await leads(page, 'Contact', 'Terms', 'Privacy', 'Refund')).toEqual([
      expect.stringMatching(/^mailto:.+@/),
      '/terms',
      '/privacy',
      '/refund',
    ])
    await says(page, `© 2025–${new Date().getFullYear()} wrk`)
  })

  test('chooses a theme, which the public pages remember', async () => {
    const page = await arrived('/')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.goto('/terms')
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
  })

  for (const path of ['/terms', '/privacy', '/refund'] as const)
    test(`reads ${path}, with its sections in their order`, async () => {
      const page = await arrived(path)
      expect(await leads(page, 'wrk home page', 'Log in', 'Return to Home')).toEqual(['/', '/login', '/'])
      await says(page, 'Last Updated: March 25, 2025', /© 2025/, ...LEGAL_TEXTS[path].map((text) => new RegExp(text, 'i')))
      const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
      expect(headings).toEqual(SECTIONS[path].map((about) => expect.stringMatching(about)))
    })

  for (const path of ['/board/1', '/someone', '/no/such/page'])
    test(`is sent from ${path} to logging in`, async () => {
      await (await arrived(path)).waitForURL('**/login')
    })

  test('sees a spinner before it is known who they are', async () => {
    const page = await site.open('visitor')
    const release = await heldBack(page, 'auth.session')
    await page.goto('/invite?token=none')
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await release()
    await page.getByRole('heading', { name: 'Invitation Error' }).waitFor()
  })

  test('sees the login screen before any script, with its title and links, and nothing moves when the script is there', async () => {
    const page = await site.open('visitor')
    const scripts = Promise.withResolvers<void>()
    await page.route('**/*.js', (route) => scripts.promise.then(() => route.continue()))
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByLabel('Username or email').fill('ada')
    await page.getByLabel('Keep me signed in').check()
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('#root :is(a, button, input, h1, label)')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return [element.tagName, x, y, width, height].join(' ')
        }),
      )
    await page.evaluate(() => document.fonts.ready)
    const before = await places()
    // Without its script it would send the password in the address.
    expect(await button(page, 'Log In').isDisabled()).toBe(true)
    scripts.resolve()
    await page.locator('button[type="submit"]:enabled').waitFor()
    expect(await places()).toEqual(before)
    expect(await page.getByLabel('Username or email').inputValue()).toBe('ada')
    await password(page).fill('12345')
    expect(await page.getByLabel('Keep me signed in').isChecked()).toBe(true)
    await press(page, 'Log In')
    await says(page, 'Password must be at least 6 characters')
    expect(await leads(page, 'Terms', 'Privacy', 'Refund')).toEqual(['/terms', '/privacy', '/refund'])
    await page.locator('a[href^="mailto:"]').waitFor()
    await isTitled(page, 'Log in')
  })

  test('is told what a login needs, and when one fails; the password can be shown', async () => {
    const page = await arrived('/login')
    await page.getByLabel('Username or email').fill('ab')
    await password(page).fill('12345')
    await press(page, 'Log In')
    await says(page, 'Username must be at least 3 characters', 'Password must be at least 6 characters')
    await press(page, 'Show password')
    expect(await password(page).getAttribute('type')).toBe('text')
    await press(page, 'Hide password')
    expect(await password(page).getAttribute('type')).toBe('password')
    await page.getByLabel('Username or email').fill('nobody')
    await password(page).fill('no password')
    await failsOnce(page, 'auth.login')
    await press(page, 'Log In')
    const failure = 'Could not log in with those credentials. Please check and try again.'
    await told(page, 'Login Failed', failure)
    await page.getByRole('alert').getByText(failure).waitFor()
    expect(await page.getByLabel('Username or email').inputValue()).toBe('nobody')
    expect(await password(page).inputValue()).toBe('no password')
  })

  test('who gets started is at the form to register, with the focus in it, also after a reload', async () => {
    const page = await arrived('/')
    const isRegistering = async () => {
      await page.getByRole('tab', { name: 'Register', selected: true }).waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'username')
    }
    await page.getByRole('link', { name: 'Get Started' }).click()
    await isRegistering()
    await page.reload()
    await isRegistering()
    await tab(page, 'Log In').click()
    expect(new URL(page.url()).search).toBe('')
  })

  test('what is typed into the form to register before any script stays, and is sent with the rest', async () => {
    const page = await site.open('visitor')
    const scripts = Promise.withResolvers<void>()
    await page.route('**/*.js', (route) => scripts.promise.then(() => route.continue()))
    await page.goto('/login?register', { waitUntil: 'commit' })
    await page.getByLabel('Username').fill('Early Bird')
    await page.getByLabel('Email', { exact: true }).fill('early@example.com')
    expect(await button(page, 'Create account').isDisabled()).toBe(true)
    scripts.resolve()
    await says(page, `Your profile will be at ${new URL(page.url()).host}/earlybird`)
    await password(page).fill('correct horse')
    await press(page, 'Create account')
    await says(page, 'Welcome, earlybird')
  })

  test('types a name and a password with one Tab between them, at a text of 200 % too, without scrolling aside', async () => {
    const page = await site.open('visitor', { viewport: { width: 390, height: 844 } })
    await page.goto('/login')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'username')
    await type(page, 'nobody', 'Tab')
    await page.keyboard.type('123456')
    expect(await password(page).inputValue()).toBe('123456')
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    for (const name of ['Log In', 'Register']) {
      await tab(page, name).click()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
  })

  test('with a touch keyboard sees the whole form first', async () => {
    const page = await site.open('visitor', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
    await page.goto('/login')
    await page.locator('button[type="submit"]:enabled').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  })

  test('who is a developer is told when that login fails, and led to the other way of it', async () => {
    const page = await arrived('/login')
    await failsOnce(page, 'auth.devLogin')
    await page.route(/dev-login/, (route) => route.fulfill({ status: 204 }), { times: 1 })
    const asked = page.waitForRequest((request) => request.url().includes('/api/auth/dev-login?returnUrl='))
    await press(page, 'Continue as developer')
    await told(page, 'Login Failed', 'Could not authenticate with dev login. Please try again.')
    await asked
  })

  test('is told what an account needs, and types no username that is none', async () => {
    const page = await arrived('/login')
    await tab(page, 'Register').click()
    await page.getByLabel('Username').fill('A b')
    expect(await page.getByLabel('Username').inputValue()).toBe('ab')
    await page.getByLabel('Email', { exact: true }).fill('no address')
    await password(page).fill('12345')
    await press(page, 'Create account')
    await says(page, 'Username must be at least 3 characters', 'Please enter a valid email address')
    await says(page, 'Password must be at least 6 characters')
  })

  test('registers, though the first try fails, and is then led home from /login', async () => {
    const page = await arrived('/login')
    await tab(page, 'Register').click()
    await page.getByLabel('Username').fill('visitor')
    await page.getByLabel('Email', { exact: true }).fill('visitor@example.com')
    await password(page).fill('correct horse')
    await failsOnce(page, 'auth.register')
    await press(page, 'Create account')
    await toast(page, 'Registration Failed', 'Registration failed. Please try again.')
    // Bottom right, as on every wide page.
    const notice = await page.locator('[data-toast]').boundingBox()
    expect([(notice?.x ?? 0) > 640, (notice?.y ?? 0) > 400, (notice?.width ?? 999) <= 420]).toEqual([true, true, true])
    await press(page, 'Dismiss')
    await page.getByRole('alert').getByText('Registration failed. Please try again.').waitFor()
    await press(page, 'Create account')
    await told(page, 'Registration Successful', 'Your account has been created and you are now logged in.')
    await page.waitForURL((url) => url.pathname === '/')
    await says(page, 'Welcome, visitor')
    await page.goto('/terms')
    expect(await leads(page, 'Dashboard')).toEqual(['/'])
    expect(await page.getByRole('link', { name: 'Log in' }).count()).toBe(0)
    await page.goto('/login')
    await says(page, 'Welcome, visitor')
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test('with an invitation sees it processed; one that is none leads home', async () => {
    const page = await site.open('visitor')
    const release = await heldBack(page, 'invitations.get')
    await page.goto('/invite?token=none')
    await page.getByRole('heading', { name: 'Processing Invitation' }).waitFor()
    await release()
    await page.getByRole('heading', { name: 'Invitation Error' }).waitFor()
    await page.getByRole('link', { name: 'Go to Home' }).click()
    // The way out of the app is a load of its own.
    await page.getByRole('heading', { level: 1, name: 'wrk smart.' }).waitFor()
  })
})
