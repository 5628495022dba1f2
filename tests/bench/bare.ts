/**
 * What the machine can do: Bun.serve and the least SQL for the same answers, by hand. No framework, no query
 * builder, no validation, no rights beyond the session and the membership.
 */
import { PGlite } from '@electric-sql/pglite'
import { generateKeyBetween } from 'fractional-indexing'
import postgres from 'postgres'
import { durable, extensions, watchFaults } from '../../src/db/pglite'

type Row = Record<string, unknown>
type Query = (text: string, params?: unknown[]) => Promise<Row[]>
type Plain = { query: Query; transaction<T>(work: (query: Query) => Promise<T>): Promise<T> }

const { query, transaction } = process.env.DATABASE_URL ? onServer(process.env.DATABASE_URL) : await embedded()

function onServer(url: string): Plain {
  const client = postgres(url)
  // Only numbers and text are given.
  const ask =
    (on: Pick<postgres.Sql, 'unsafe'>): Query =>
    (text, params = []) =>
      on.unsafe(text, params as string[], { prepare: true })
  return {
    query: ask(client),
    transaction: async (work) => (await client.begin(async (on) => [await work(ask(on))]))[0] as Awaited<ReturnType<typeof work>>,
  }
}

async function embedded(): Promise<Plain> {
  const client = await PGlite.create({
    ...durable(process.env.DATA_DIR ?? '', watchFaults(process.env.DATA_DIR ?? '')),
    extensions,
  })
  return {
    query: async (text, params) => (await client.query<Row>(text, params)).rows,
    transaction: (work) => client.transaction((on) => work(async (text, params) => (await on.query<Row>(text, params)).rows)),
  }
}

async function userOf(request: Request): Promise<unknown> {
  const [, cookie] = /\bsession=(\w+)/.exec(request.headers.get('cookie') ?? '') ?? []
  const key = new Bun.CryptoHasher('sha256').update(cookie ?? '').digest('hex')
  const [row] = await query(
    'select users.*, expires_at from sessions join users on users.id = user_id where sessions.id = $1 and expires_at > now()',
    [key],
  )
  return row?.id
}

const kept = new Map<string, { version: unknown; gzip: Uint8Array<ArrayBuffer> }>()

async function open(request: Bun.BunRequest<'/api/boards/:id/snapshot'>) {
  const { id } = request.params
  const [board] = await query(
    'select boards.* from boards join board_members on board_id = boards.id and user_id = $1 where boards.id = $2',
    [await userOf(request), id],
  )
  const found = kept.get(id)
  const fresh = found && found.version === board?.version ? found : { version: board?.version, gzip: await build(id) }
  kept.set(id, fresh)
  return new Response(fresh.gzip, { headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' } })
}

async function build(id: string) {
  const [row] = await query(
    `select jsonb_agg(to_jsonb(tasks) || jsonb_build_object('assignees', (
       select jsonb_agg(jsonb_build_object('id', users.id, 'username', username, 'name', name, 'avatar', avatar))
       from task_assignees join users on users.id = user_id where task_id = tasks.id))) as tasks
     from tasks where board_id = $1`,
    [id],
  )
  return Bun.gzipSync(JSON.stringify(row), { level: 5 })
}

const LOCK =
  'select boards.id from boards join board_members on board_id = boards.id and user_id = $2 where boards.id = $1 for update of boards'

async function create(request: Bun.BunRequest<'/api/boards/:id/tasks'>) {
  const user = await userOf(request)
  const { id } = request.params
  const { title, description, status, tags } = await request.json()
  const task = await transaction(async (ask) => {
    await ask(LOCK, [id, user])
    const [end] = await ask('select max(position) as last from tasks where board_id = $1 and status = $2', [id, status])
    const position = generateKeyBetween(String(end?.last ?? '') || null, null)
    const [made] = await ask(
      `insert into tasks (title, description, status, tags, position, board_id, created_by)
       values ($1, $2, $3, array(select jsonb_array_elements_text($4::text::jsonb)), $5, $6, $7) returning *`,
      [title, description, status, JSON.stringify(tags), position, id, user],
    )
    return { ...made, version: await raise(ask, id) }
  })
  announce(id, { type: 'new_task', payload: { task } })
  return Response.json(task, { status: 201 })
}

async function move(request: Bun.BunRequest<'/api/tasks/:id'>) {
  const user = await userOf(request)
  const { status, before } = await request.json()
  const [found] = await query('select board_id from tasks where id = $1', [request.params.id])
  const task = await transaction(async (ask) => {
    await ask(LOCK, [found?.board_id, user])
    const [place] = await ask(
      `select anchor.position as next, (select max(position) from tasks
         where board_id = anchor.board_id and status = anchor.status and position < anchor.position and id <> $2) as previous
       from tasks anchor where id = $1 and status = $3`,
      [before, request.params.id, status],
    )
    const position = place
      ? generateKeyBetween(String(place.previous ?? '') || null, String(place.next))
      : await endOf(ask, found, status)
    const [moved] = await ask('update tasks set status = $1, position = $2, updated_at = now() where id = $3 returning *', [
      status,
      position,
      request.params.id,
    ])
    return { ...moved, version: await raise(ask, found?.board_id) }
  })
  announce(found?.board_id, { type: 'task_updated', payload: { task } })
  return Response.json(task)
}

async function endOf(ask: Query, found: Row | undefined, status: unknown) {
  const [end] = await ask('select max(position) as last from tasks where board_id = $1 and status = $2', [
    found?.board_id,
    status,
  ])
  return generateKeyBetween(String(end?.last ?? '') || null, null)
}

async function raise(ask: Query, boardId: unknown) {
  const [row] = await ask('update boards set version = version + 1 where id = $1 returning version', [boardId])
  return row?.version
}

const announce = (boardId: unknown, message: object) => server.publish(`board:${boardId}`, JSON.stringify(message))

const server: Bun.Server<undefined> = Bun.serve({
  port: process.env.PORT,
  routes: {
    '/health': async () => Response.json(await query('select 1')),
    '/api/boards/:id/snapshot': { GET: open },
    '/api/boards/:id/tasks': { POST: create },
    '/api/tasks/:id': { PATCH: move },
    '/ws': (request) => {
      server.upgrade(request, { data: undefined })
    },
  },
  websocket: {
    message(socket, data) {
      const { payload } = JSON.parse(String(data))
      socket.subscribe(`board:${payload.boardId}`)
      socket.send('{"type":"joined_board"}')
    },
  },
})
