import { eq, type SQL, sql } from 'drizzle-orm'
import { bumpVersion } from '../../../../boards/server/store'
import type { Db } from '../../../../db/database'
import { users } from '../../../../db/schema'
import { asking } from '../../../../db/snapshot'
import type { MoveGrant } from '../grants'

/** Much more would keep everybody else on the embedded database waiting. */
const MOVED_AT_ONCE = 2_000

/**
 * Some of what bears a name becomes theirs; true once all does, with which the name goes, its membership, and what its owner has
 * already. A version of it is never announced, so that open pages read again.
 */
export async function moveSome(db: Db, grant: MoveGrant): Promise<boolean> {
  await bumpVersion(db, grant)
  const move = { boardId: grant.board.id, name: grant.nameId, owner: grant.viewer.id }
  const ask = asking(db)
  // Before the hours, which are worth as much then as before.
  await ask(sql`insert into rates (board_id, user_id, from_day, cents)
    select board_id, ${move.owner}, from_day, cents from rates where user_id = ${move.name} on conflict do nothing`)
  let moved = 0
  for (const step of STEPS) {
    const [one] = await ask(sql`with moved as (${step(move, MOVED_AT_ONCE - moved)} returning 1) select count(*)::int from moved`)
    moved += Number(one?.count)
    if (moved >= MOVED_AT_ONCE) return false
  }
  await db.delete(users).where(eq(users.id, move.name))
  return true
}

type Move = { boardId: number; name: number; owner: number }
type Step = (move: Move, most: number) => SQL

const renamed =
  (table: string, column = 'user_id'): Step =>
  ({ name, owner }, most) => {
    const [from, whose] = [sql.identifier(table), sql.identifier(column)]
    return sql`update ${from} set ${whose} = ${owner}
      where id in (select id from ${from} where ${whose} = ${name} limit ${most})`
  }

const STEPS: Step[] = [
  // Whoever has left since they said yes is assigned to nothing there.
  ({ boardId, name, owner }, most) => sql`update task_assignees set user_id = ${owner} where id in (
    select id from task_assignees mine where board_id = ${boardId} and user_id = ${name}
      and not exists (select 1 from task_assignees theirs where theirs.task_id = mine.task_id and theirs.user_id = ${owner})
      and exists (select 1 from board_members where board_id = ${boardId} and user_id = ${owner})
    limit ${most})`,
  renamed('tasks', 'created_by'),
  renamed('comments'),
  renamed('attachments'),
  renamed('time_entries'),
  renamed('activities'),
  ({ boardId, name, owner }, most) => sql`update activities set detail = jsonb_set(detail, '{userId}', to_jsonb(${owner}::int))
    where id in (
      select id from activities where board_id = ${boardId} and (detail ->> 'userId')::int = ${name} limit ${most})`,
]
