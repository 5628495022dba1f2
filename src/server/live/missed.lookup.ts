import { sql } from 'drizzle-orm'

export type Joined = { members: [boardId: number, userId: number][]; sessionKeys: string[] }

/** Boards' versions, ended memberships and ended sessions. */
export type Missed = { versions: Record<number, number>; gone: [boardId: number, userId: number][]; ended: string[] }

/** Not `not exists`, which would read whole tables for thousands of sockets. */
export function missedBySockets({ members, sessionKeys }: Joined) {
  const boardIds = listOf([...new Set(members.map(([boardId]) => boardId))])
  const pairs = sql`unnest(${listOf(members.map(([boardId]) => boardId))}::int[], ${listOf(members.map(([, userId]) => userId))}::int[])`
  return sql`select
    (select coalesce(json_object_agg(id, version), '{}') from boards where id = any (${boardIds}::int[])) as versions,
    (select coalesce(json_agg(json_build_array(board_id, user_id)), '[]') from ${pairs} joined (board_id, user_id)
      where (select 1 from board_members member join boards on boards.id = member.board_id and deleted_at is null
        where member.board_id = joined.board_id and member.user_id = joined.user_id) is null) as gone,
    (select coalesce(json_agg(key), '[]') from unnest(${listOf(sessionKeys)}::text[]) key
      where (select 1 from sessions where id = key and expires_at > now()) is null) as ended`
}

const listOf = (values: (number | string)[]) => `{${values.join()}}`
