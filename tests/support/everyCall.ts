import { calls } from '../../src/site/router'
import type { Answer, Browser } from './browser'
import { type Row, rows, special } from './walk'
import { ask, type Given, procedures } from './world'

export type EveryCall = {
  name: string
  status: number
  /** Another needs another world. */
  spends: boolean
  /** With what it is asked, of whom it answers if it answers anybody. */
  ready: (given: Given) => Promise<() => Promise<Answer>>
}
type Send = (browser: Browser, input: Record<string, unknown>) => Promise<Answer>

/** Each once: REST lines, other paths, and the procedures that only the page calls. */
export function everyCall(): EveryCall[] {
  const byPath = [
    ...calls.map(({ method, path, procedure, status }) => ({ method, path, status, row: rowOf(procedure) })),
    ...Object.entries(special).map(([key, row]) => ({ ...pathOf(key), status: row.status, row })),
  ]
  const onlyCalled = Object.keys(procedures).filter((name) => !calls.some(({ procedure }) => procedure === name))
  return [
    ...byPath.map(({ method, path, status, row }) =>
      asked(`${method} ${path}`, row, status, (browser, input) => ask(browser, { method, path }, input, row.form?.())),
    ),
    ...onlyCalled.map((name) => asked(name, rowOf(name), 200, (browser, input) => callProcedure(browser, name, input))),
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

function asked(name: string, row: Row, status: number, send: Send): EveryCall {
  const answered = row.to.lastIndexOf('ok')
  const outcome = row.operator ?? row.to[answered < 0 ? row.to.length - 1 : answered]
  return {
    name,
    status: typeof outcome === 'number' ? outcome : status,
    spends: row.spends ?? false,
    async ready(given) {
      const people = [given.nobody, given.eve, given.bob, given.ada]
      const who = row.operator ? given.olga : (people[answered] ?? given.ada)
      const input = await row.input(given)
      return () => send(who, input)
    },
  }
}
