import { expect, test } from 'bun:test'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../src/db/tables'

/** By `moveWork` of boards/server/store.ts, to the user who accepts an imported name, or to a former member. */
const MOVED = ['activities.userId', 'attachments.userId', 'comments.userId', 'notifications.actorId', 'rates.userId'].concat([
  'tasks.createdBy',
  'time_entries.userId',
])

/** Of the account itself, or of what ends with it. */
const KEPT = ['billing.userId', 'board_invitations.acceptedBy', 'board_invitations.invitedBy', 'board_invitations.userId']
  .concat(['board_members.userId', 'boards.createdBy', 'comment_mentions.userId', 'deleted_rows.userId'])
  .concat(['former_usernames.userId', 'idempotency_keys.userId', 'imports.userId', 'left_boards.userId', 'magic_links.userId'])
  .concat(['name_offers.nameId', 'name_offers.userId', 'notifications.userId', 'oauth_accounts.userId', 'operator_acts.userId'])
  .concat(['sessions.userId'])

test('what names a user moves with their work, or is known to stay with the account', () => {
  const tables = Object.values(schema).flatMap((one: unknown) => (is(one, PgTable) ? [one] : []))
  const naming = tables.flatMap((table) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const { foreignTable, columns } = key.reference()
      return foreignTable === schema.users ? columns.map(({ name }) => `${getTableName(table)}.${name}`) : []
    }),
  )
  expect(naming.toSorted()).toEqual([...MOVED, ...KEPT].toSorted())
})
