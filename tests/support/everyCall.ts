import { calls } from '../../src/site/rest'
import type { Answer, Browser } from './browser'
import { type Row, rows, special } from './walk'
import { ask, type Given, procedures } from './world'

export type EveryCall = {
  name: string
  row: Row
  /** Who is answered, if anybody is. */
  who: (given: Given) => Browser
  status: number
  reads: boolean
  ask: (browser: Browser, given: Given) => Promise<Answer>
}

/** Each once, of somebody whom it answers: REST lines, other paths, and the procedures that only the page calls. */
export function everyCall(): EveryCall[] {
  const byPath = [
    ...calls.map(({ method, path, procedure, status }) => ({ method, path, status, row: rowOf(procedure) })),
    ...Object.entries(special).map(([key, row]) => ({ ...pathOf(key), status: row.status, row })),
  ]
  const onlyCalled = Object.keys(procedures).filter((name) => !calls.some(({ procedure }) => procedure === name))
  return [
    ...byPath.map(({ method, path, status, row }) => ({
      ...about(`${method} ${path}`, row, status),
      reads: method === 'GET' && !row.spends,
      ask: async (browser: Browser, given: Given) => ask(browser, { method, path }, await row.input(given), row.form?.()),
    })),
    ...onlyCalled.map((name) => ({
      ...about(name, rowOf(name), 200),
      reads: procedures[name]?._def.type === 'query',
      ask: async (browser: Browser, given: Given) => callProcedure(browser, name, await rowOf(name).input(given)),
    })),
  ]
}

/** As the page does. */
export const callProcedure = (browser: Browser, name: string, input: object, headers?: Record<string, string>) =>
  procedures[name]?._def.type === 'query'
    ? browser.http('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`)
    : browser.http('POST', `/trpc/${name}`, input, headers)

function rowOf(procedure: string): Row {
  const row = rows[procedure]
  if (!row) throw new Error(`no row for ${procedure}`)
  return row
}

function pathOf(key: string) {
  const [method = '', path = ''] = key.split(' ')
  return { method, path }
}

function about(name: string, row: Row, status: number) {
  const answered = row.to.lastIndexOf('ok')
  const outcome = row.to[answered < 0 ? row.to.length - 1 : answered]
  return {
    name,
    row,
    who: ({ nobody, eve, bob, ada }: Given) => [nobody, eve, bob, ada][answered] ?? ada,
    status: typeof outcome === 'number' ? outcome : status,
  }
}
