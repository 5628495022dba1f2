import { expect, test } from 'bun:test'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { CONTRIBUTIONS } from '../../src/db/contributions'
import * as schema from '../../src/db/tables'

/** By `moveWork` of boards/server/store.ts, to the user who accepts an imported name, or to a former member. */
const MOVED = ['notifications.actorId', 'rates.userId', 'task_assignees.boardId, userId', 'tasks.createdBy']

/** Of the account itself, or of what ends with it. */
const KEPT = ['billing.userId', 'board_invitations.acceptedBy', 'board_invitations.invitedBy', 'board_invitations.userId']
  .concat(['board_members.userId', 'boards.createdBy', 'comment_mentions.userId', 'deleted_rows.userId'])
  .concat(['former_usernames.userId', 'idempotency_keys.userId', 'imports.userId', 'left_boards.userId', 'magic_links.userId'])
  .concat(['name_offers.nameId', 'name_offers.userId', 'notifications.userId', 'oauth_accounts.userId', 'operator_acts.userId'])
  .concat(['sessions.userId'])

/** By `purgeDeletedBoards` in portions, beside tasks, which are purged a hundred at a time. */
const IN_PORTIONS = ['notifications', 'rates', 'task_assignees']

/** Few on each board, or of each task. */
const FEW = ['board_invitations', 'board_members', 'deleted_rows', 'imports', 'left_boards', 'tasks']

const tables = Object.values(schema).flatMap((one: unknown) => (is(one, PgTable) ? [one] : []))
const work = CONTRIBUTIONS.map(({ table }) => getTableName(table))

const keysTo = (targets: PgTable[]) =>
  tables.flatMap((table) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const { foreignTable, columns } = key.reference()
      const [name, columnNames] = [getTableName(table), columns.map((column) => column.name).join(', ')]
      return targets.includes(foreignTable) ? { table: name, key: `${name}.${columnNames}` } : []
    }),
  )

test('what names a user moves with their work, or is known to stay with the account', () => {
  const found = keysTo([schema.users, schema.boardMembers]).map(({ key }) => key)
  expect(found.toSorted()).toEqual([...work.map((name) => `${name}.userId`), ...MOVED, ...KEPT].toSorted())
})

test('what belongs to a board or a task is purged with it in portions, or is few', () => {
  const found = new Set(keysTo([schema.boards, schema.tasks]).map(({ table }) => table))
  expect([...found].toSorted()).toEqual([...work, ...IN_PORTIONS, ...FEW].toSorted())
})
