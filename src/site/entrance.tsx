import { renderToString } from 'react-dom/server'
import { SignIn } from '../app/SignIn'
import type { SignInOptions } from '../auth/basics'

/** The documents on which one signs in, by their paths. React goes on in the browser from this HTML. */
export const renderEntrance = (template: string, options: SignInOptions): Map<string, string> =>
  new Map(['/login', '/auth/verify'].map((path) => [path, render(template, path, options)]))

function render(template: string, path: string, options: SignInOptions): string {
  const html = renderToString(<SignIn path={path} options={options} />)
  const [title = ''] = /<title>.*?<\/title>/.exec(html) ?? []
  return template
    .replace('<title>wrk</title>', () => title)
    .replace('<div id="root"></div>', () => `<div id="root">${html.replace(title, '')}</div>`)
}
