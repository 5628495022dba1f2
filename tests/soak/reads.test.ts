import { expect, test } from 'bun:test'
import { createReads } from './reads'

/** A page that has its board at version 5, and hears it. */
function opened() {
  let now = 1_000
  const reads = createReads(() => now)
  const read = () => {
    reads.asks()
    reads.read(true)
  }
  read()
  reads.joined(5)
  const superfluous = () => reads.counts.rereads - reads.counts.gaps
  return { reads, read, superfluous, pass: (ms: number) => (now += ms) }
}

test('a read for a gap is no superfluous one, a second is', () => {
  const { reads, read, superfluous } = opened()
  reads.heard(7)
  read()
  expect(superfluous()).toBe(0)
  read()
  expect(superfluous()).toBe(1)
})

test('an own change whose message comes in time excuses no read, neither then nor later', () => {
  for (const within of [0, 40, 99]) {
    const { reads, read, superfluous, pass } = opened()
    reads.answered(6)
    pass(within)
    reads.heard(6)
    pass(200)
    read()
    expect([within, superfluous()]).toEqual([within, 1])
  }
})

test('an own change excuses no read before the page has waited for its message', () => {
  const { reads, read, superfluous, pass } = opened()
  reads.answered(6)
  pass(60)
  read()
  expect(superfluous()).toBe(1)
})

test('an own change whose message is late, or never comes, excuses one read', () => {
  for (const comes of [true, false]) {
    const { reads, read, superfluous, pass } = opened()
    reads.answered(6)
    pass(151)
    if (comes) reads.heard(6)
    pass(10)
    read()
    expect([comes, superfluous()]).toEqual([comes, 0])
    pass(1_000)
    read()
    expect([comes, superfluous()]).toEqual([comes, 1])
  }
})

test('a page waits once for several of its changes', () => {
  const { reads, read, superfluous, pass } = opened()
  reads.answered(6)
  pass(80)
  reads.heard(6)
  reads.answered(7)
  pass(70)
  read()
  expect(superfluous()).toBe(0)
})

test('a late message excuses no read that begins much later', () => {
  const { reads, read, superfluous, pass } = opened()
  reads.answered(6)
  pass(300)
  reads.heard(6)
  pass(1_100)
  read()
  expect(superfluous()).toBe(1)
})

test('a change that was heard before its answer excuses none', () => {
  const { reads, read, superfluous, pass } = opened()
  reads.heard(6)
  reads.answered(6)
  pass(200)
  read()
  expect(superfluous()).toBe(1)
})
