import { renderToString } from 'react-dom/server'
import { SignIn } from '../app/SignIn'
import { ENTRANCES, type Entrance, type SignInOptions } from '../auth/basics'

/** React goes on in the browser from this HTML. */
export const renderEntrances = (template: string, options: SignInOptions): Map<Entrance, string> =>
  new Map(ENTRANCES.map((entrance) => [entrance, render(template, entrance, options)]))

function render(template: string, entrance: Entrance, options: SignInOptions): string {
  const html = renderToString(<SignIn entrance={entrance} options={options} />)
  const [title = ''] = /<title>.*?<\/title>/.exec(html) ?? []
  return template
    .replace('<title>wrk</title>', () => title)
    .replace('<div id="root"></div>', () => `<div id="root">${html.replace(title, '')}</div>`)
}
