import type { Calls, Choices, Outcome } from './calls'
import type { Deed, Lot } from './deeds/deed'
import { drawDeed } from './deeds/draw'
import { removeMember } from './deeds/onBoards'
import type { History } from './history'
import type { Ledger } from './ledger'
import type { Person } from './person'
import type { Server, Site } from './site'
import type { Watch } from './watch'

const THINKS_MS = [300, 1_500] as const
const HURRIES_MS = 40

export type Work = ReturnType<typeof createWork>
type Given = {
  site: Site
  history: History
  calls: Calls
  ledger: Ledger
  watch: Watch
  people: Person[]
  lotOf(who: string): Lot
}

/** Everybody does one thing after the other, until they are told to rest. */
export function createWork({ site, history, calls, ledger, watch, people, lotOf }: Given) {
  let isResting = true
  let isHurried = false
  let isOver = false
  let busy = 0

  /** Does it, and writes down what was answered. */
  async function perform(person: Person, deed: Deed & { name: string; board: number }, choices: Choices): Promise<Outcome> {
    busy += 1
    try {
      const outcome = await calls.send(person, deed.ask, choices)
      const isDone = outcome.how === 'done'
      const version = isDone ? outcome.version : undefined
      const told =
        outcome.how === 'refused' ? `${outcome.status} ${outcome.said}` : outcome.how === 'unknown' ? outcome.why : `${version}`
      history.note(`${deed.name} ${outcome.how}: ${told}`, { board: deed.board, person: person.name })
      if (outcome.how === 'refused') return outcome
      const by = `${person.name}'s ${deed.name} ${JSON.stringify(deed.ask.rest)}`
      const answer = isDone ? outcome.body : undefined
      ledger.record(by, deed.board, deed.facts(madeBy(answer), answer), version)
      if (version !== undefined) watch.answered(deed.board, version)
      return outcome
    } finally {
      busy -= 1
    }
  }

  async function live(person: Person) {
    const lot = lotOf(person.name)
    const choices = (): Choices => ({
      way: lot.oneOf(['rest', 'trpc']),
      server: () => lot.oneOf(site.servers.filter(({ isRunning }) => isRunning())),
      isPatient: lot.below(10) < 7,
      repeats: lot.below(10) === 0,
    })
    while (!isOver) {
      await Bun.sleep(isHurried ? HURRIES_MS : THINKS_MS[0] + lot.below(THINKS_MS[1] - THINKS_MS[0]))
      if (isResting) continue
      const deed = drawDeed(lot, person, people)
      if (deed) await perform(person, deed, choices())
    }
  }
  const lives = people.map(live)

  /** Through the server that is about to be struck, while it is. */
  async function part(lot: Lot, victim: Server | undefined): Promise<void> {
    const via = { way: 'rest', server: () => victim ?? site.alive(), isPatient: true, repeats: false } as const
    const isOn = (person: Person, board: number) => watch.isMember(board, person.id)
    const creator = lot.oneOf(people.slice(0, 3))
    const board = [...(creator.clients[0]?.boards.values() ?? [])].find(
      ({ snapshot }) => snapshot?.board.createdBy === creator.id,
    )
    const [leaver] = lot.shuffled(people.slice(3)).filter((person) => board && isOn(person, board.boardId))
    const works: Promise<unknown>[] = []
    if (board && leaver)
      works.push(perform(creator, { ...removeMember(board.boardId, leaver), name: 'removeMember', board: board.boardId }, via))
    const [leaving] = lot.shuffled(people).filter(({ clients, cookies }) => clients.length > 1 && cookies.length > 1)
    if (leaving) works.push(signOut(leaving, via))
    await Promise.all(works)
  }

  /** The second socket's session ends; it comes back with another one. */
  async function signOut(person: Person, via: Choices) {
    const client = person.clients[1]
    const next = person.cookies.pop()
    if (!client || !next) return
    const { cookie } = client
    const ask = { rest: ['POST', '/api/auth/logout'], trpc: ['auth.logout', {}] } as const
    const outcome = await calls.send({ ...person, cookie: () => cookie }, { rest: [...ask.rest], trpc: [...ask.trpc] }, via)
    history.note(`signs out: ${outcome.how}`, { person: client.name })
    client.signedOut(next, outcome.how !== 'unknown')
  }

  return {
    part,
    goOn: () => {
      isResting = false
    },
    rest: () => {
      isResting = true
    },
    hurry: (does: boolean) => {
      isHurried = does
    },
    /** Once nobody waits for an answer any more. */
    async quiet() {
      isResting = true
      while (busy > 0) await Bun.sleep(20)
    },
    async stop() {
      isOver = true
      await Promise.all(lives)
    },
  }
}

const madeBy = (body: unknown) =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'number' ? { id: body.id } : undefined
