import { lazy, type Settings } from '../basics'

/** As the document has them. */
export const settings = lazy((): Settings => JSON.parse(document.getElementById('settings')?.textContent ?? 'null'))
