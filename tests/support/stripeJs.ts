import type { BrowserContext, Route } from 'playwright-core'

/** What the provider makes of a card: paid, declined with its words, or to be confirmed on a page of the bank first. */
type Outcome = { error?: { message: string }; bank?: boolean }
type Decide = (given: { clientSecret: string; card: string }) => Promise<Outcome>

/**
 * Stands in for Stripe.js in a browser: its card field is a frame of another origin, as the real one's, and it confirms
 * over https://api.stripe.com, so that the page's policy has its say. `loads` may hold it back; `asked` counts its loads.
 */
export async function stripeJs(context: BrowserContext, decide: Decide) {
  const stand = { asked: 0, confirmed: 0, loads: async () => true }
  await context.route('https://js.stripe.com/**', async (route) => {
    if (new URL(route.request().url()).pathname === '/card.html') return html(route, CARD)
    stand.asked += 1
    return (await stand.loads()) ? route.fulfill({ contentType: 'text/javascript', body: SCRIPT }) : route.abort()
  })
  await context.route('https://api.stripe.com/**', async (route) => {
    stand.confirmed += 1
    const json = await decide(route.request().postDataJSON())
    await route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } })
  })
  await context.route('https://bank.example/**', (route) => html(route, bank(new URL(route.request().url()).searchParams)))
  return stand
}

const html = (route: Route, body: string) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${body}` })

const CARD = `<label>Card number <input></label>
<script>onmessage = (event) => event.ports[0].postMessage(document.querySelector('input').value)</script>`

/** A page of the bank, from where one comes back as Stripe sends one back. */
function bank(asked: URLSearchParams) {
  const back = (outcome: string) => {
    const url = new URL(asked.get('back') ?? '')
    url.searchParams.set('payment_intent', 'pi_1')
    url.searchParams.set('payment_intent_client_secret', 'pi_1_secret_1')
    url.searchParams.set('redirect_status', outcome)
    return url.href.replaceAll('&', '&amp;')
  }
  return `<a href="${back('succeeded')}">Confirm</a> <a href="${back('failed')}">Refuse</a>`
}

const SCRIPT = `window.Stripe = Object.assign((key) => ({
  elements({ clientSecret, appearance }) {
    let frame
    return {
      clientSecret,
      update() {},
      typed: () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        frame.contentWindow.postMessage('read', '*', [port2])
      }),
      create() {
        const listeners = {}
        return {
          on(type, listener) { listeners[type] = listener },
          mount(place) {
            frame = document.createElement('iframe')
            frame.title = 'Secure payment input frame'
            frame.dataset.background = appearance.variables.colorBackground
            frame.src = 'https://js.stripe.com/card.html'
            frame.onload = () => listeners.ready()
            place.append(frame)
          },
          destroy() { frame.remove() },
        }
      },
    }
  },
  async confirmPayment({ elements, confirmParams }) {
    const body = JSON.stringify({ clientSecret: elements.clientSecret, card: await elements.typed(), key })
    const { error, bank } = await (await fetch('https://api.stripe.com/v1/confirm', { method: 'POST', body })).json()
    if (!bank) return error ? { error } : { paymentIntent: { status: 'succeeded' } }
    location.href = 'https://bank.example/?back=' + encodeURIComponent(confirmParams.return_url)
    return new Promise(() => {})
  },
}), { version: 'endive' })`
