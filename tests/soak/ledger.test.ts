import { expect, test } from 'bun:test'
import { createHistory } from './history'
import { createLedger } from './ledger'

const TITLE = 'task 1 title'
const told = (value: string | null) => [{ key: TITLE, value, of: ['task 1'] }]
const there = (title?: string) => new Map([['task 1', 'there'], ...(title ? ([[TITLE, title]] as const) : [])])

function ledger() {
  const history = createHistory()
  const found = () => history.violations.map(({ check }) => check)
  return { ...createLedger(history), found }
}

test('what somebody was told and is not there is lost', () => {
  const { record, check, found } = ledger()
  record('Ada', 1, told('Dig'), 5)
  check(there('Dig'))
  expect(found()).toEqual([])
  check(there('Sow'))
  expect(found()).toEqual(['lost'])
})

test('what came later counts, whichever answer came first, and what got no answer may be so', () => {
  const { record, check, found } = ledger()
  record('Ada', 1, told('Dig'), 6)
  record('Bob', 1, told('Sow'), 5)
  check(there('Dig'))
  record('Bob', 1, told('Hoe'), undefined)
  check(there('Hoe'))
  expect(found()).toEqual([])
})

test('what belonged to something that is gone is not missed', () => {
  const { record, check, found } = ledger()
  record('Ada', 1, told('Dig'), 5)
  check(new Map())
  expect(found()).toEqual([])
})

test('one version is the answer to one change', () => {
  const { record, found } = ledger()
  record('Ada', 1, [], 5)
  record('Bob', 2, [], 5)
  expect(found()).toEqual([])
  record('Bob', 1, [], 5)
  expect(found()).toEqual(['doubled'])
})
