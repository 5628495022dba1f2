import { waitForDeletion } from '../../account/server/deletion'
import { createSetupLink } from '../../auth/server/signUp'
import type { Db } from '../../db/database'
import type { Person } from '../../operator/schema'
import {
  byCommand,
  changeAddress,
  changeOperator,
  changePlan,
  createResetLink,
  deleteUser,
  disableAccount,
  enableAccount,
  type Operating,
  proveEmail,
  userNamed,
} from '../../operator/server/changes'
import { grantCommandReading } from '../../operator/server/grants'
import { listPeople, readPerson } from '../../operator/server/store'
import { email as address } from '../../users/schema'
import { CommandFailed, type Context, type Module, WrongUsage } from './command'
import { columns, everyPart, yes } from './output'

type Who = { who: string }
type Switch = Who & { off?: boolean }

const day = (moment: string | null) => moment?.slice(0, 10) ?? ''

const shown = ({ id, username, email, emailVerified, isPro, operator, disabled, boards, createdAt, lastSeenAt }: Person) => ({
  id: String(id),
  username,
  email,
  confirmed: yes(emailVerified),
  pro: yes(isPro),
  operator: yes(operator),
  disabled: yes(disabled),
  boards: String(boards),
  since: day(createdAt),
  seen: day(lastSeenAt),
})

export const list: Module<{ search?: string }, Person[]> = {
  run: ({ database: { db } }, { search = '' }) =>
    everyPart((cursor) => listPeople(db, grantCommandReading(), { search, ...(cursor && { cursor }) })),
  show: (people) => columns(people.map(shown)),
}

export const show: Module<Who, Person> = {
  run: ({ database }, { who }) => read(database, who),
  show: (person) =>
    Object.entries(shown(person))
      .map(([name, value]) => `${name.padEnd(10)}${value}`)
      .join('\n'),
}

const read = async ({ db }: Context['database'], who: string) => personOf(db, await userNamed({ db }, who))

async function personOf(db: Db, userId: number): Promise<Person> {
  const person = await readPerson(db, grantCommandReading(), userId)
  if (!person) throw new CommandFailed('the account is gone')
  return person
}

/** A change to an account, which returns its new state. */
const changing = <G extends Who>(
  work: (ctx: Operating, userId: number, given: G) => Promise<unknown>,
  said: string | ((given: G) => string),
  kind?: 'deletes',
): Module<G, Person> => ({
  async run(context, given) {
    const services = await context.services()
    const userId = await byCommand(
      services,
      async (ctx) => {
        const id = await userNamed(ctx, given.who)
        await work(ctx, id, given)
        return id
      },
      kind,
    )
    return personOf(services.db, userId)
  },
  show: (person, given) => `${person.username} ${typeof said === 'string' ? said : said(given)}`,
})

export const prove = changing<Who>(proveEmail, 'has a confirmed email')
export const disable = changing<Who>(disableAccount, 'is disabled', 'deletes')
export const enable = changing<Who>(enableAccount, 'can sign in again')

export const pro = changing<Switch>(
  (ctx, userId, { off }) => changePlan(ctx, userId, !off),
  ({ off }) => (off ? 'is now on Free' : 'is now on Pro'),
)

export const operator = changing<Switch>(
  (ctx, userId, { off }) => changeOperator(ctx, userId, !off),
  ({ off }) => (off ? 'is no longer an operator' : 'is an operator and can manage the server at /operator'),
)

export const email = changing<Who & { email: string }>(
  (ctx, userId, given) => changeAddress(ctx, userId, addressIn(given.email)),
  ({ email }) => `has the email ${email}, which is not confirmed yet`,
)

/** Throws WrongUsage. */
export function addressIn(given: string): string {
  const parsed = address.safeParse(given)
  if (!parsed.success) throw new WrongUsage(`"${given}" is not an email address`)
  return parsed.data
}

export const remove: Module<Who & { content?: boolean }, Person> = {
  run: async (context, { who, content = false }) => {
    const services = await context.services()
    const work = async (ctx: Operating) => {
      const userId = await userNamed(ctx, who)
      const person = await personOf(ctx.db, userId)
      await deleteUser(ctx, userId, content)
      return person
    }
    const person = await byCommand(services, work, 'deletes')
    await waitForDeletion({ services }, person.id)
    return person
  },
  show: ({ username }) => `${username}’s account was deleted`,
}

type Link = { link: string }

export const resetLink: Module<Who, Link> = {
  run: async (context, { who }) =>
    byCommand(await context.services(), async (ctx) => ({ link: await createResetLink(ctx, await userNamed(ctx, who)) })),
  show: ({ link }) => link,
}

export const setup: Module<object, Link> = {
  run: async (context) => ({ link: await createSetupLink(await context.services()) }),
  show: ({ link }) => link,
}
