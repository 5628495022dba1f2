import createClient from 'openapi-fetch'
import type { components, paths } from 'wrk-api'

type Shapes = components['schemas']

/** Works a board with nothing but the types that the description makes; each answer is of the type that stands beside it. */
export async function workBoard(origin: string, address: string) {
  const client = signedInClient(origin, address)
  const password = 'correct horse'
  const registration = { username: 'clio', email: 'clio@example.com', password }
  const me: Shapes['OwnUser'] = taken(await client.POST('/api/auth/register', { body: registration }))
  taken(await client.POST('/api/auth/logout'))
  const refused = await client.GET('/api/boards')
  const refusal: Shapes['Refusal'] | undefined = refused.error
  taken(await client.POST('/api/auth/login', { body: { username: me.email, password } }))

  const board: Shapes['Board'] = taken(await client.POST('/api/boards', { body: { name: 'Garden' } }))
  const ofBoard = { params: { path: { boardId: board.id } } }
  const task: Shapes['Task'] = taken(
    await client.POST('/api/boards/{boardId}/tasks', { ...ofBoard, body: { title: 'Dig', status: 'todo' } }),
  )
  const ofTask = { params: { path: { taskId: task.id } } }
  const moved = taken(await client.PATCH('/api/tasks/{taskId}', { ...ofTask, body: { status: 'done' } }))
  const status: 'todo' | 'inprogress' | 'done' = moved.status
  const comment: Shapes['Comment'] = taken(
    await client.POST('/api/tasks/{taskId}/comments', { ...ofTask, body: { content: 'Deeper' } }),
  )
  const comments: Shapes['Comment'][] = taken(
    await client.GET('/api/tasks/{taskId}/comments', { params: { ...ofTask.params, query: { limit: 10 } } }),
  )
  const entry: Shapes['TimeEntry'] = taken(
    await client.POST('/api/time-entries', { body: { taskId: task.id, status: 'completed', duration: 90 } }),
  )
  const report: Shapes['Report'] = taken(
    await client.GET('/api/boards/{boardId}/time-report', {
      params: { ...ofBoard.params, query: { taskIds: `${task.id}`, pageSize: 5 } },
    }),
  )
  const gone: { success: true } = taken(await client.DELETE('/api/tasks/{taskId}', ofTask))
  const lost = await client.GET('/api/tasks/{taskId}', ofTask)
  taken(await client.DELETE('/api/boards/{boardId}', ofBoard))
  const boards: Shapes['BoardListItem'][] = taken(await client.GET('/api/boards'))
  return { me, refusal, board, task, status, comment, comments, entry, report, gone, lost: lost.error, boards }
}

type Client = ReturnType<typeof signedInClient>

/** Compiled, never called: what the description rules out. */
export const mistakes = (client: Client) => [
  // @ts-expect-error a board needs a name
  client.POST('/api/boards', { body: {} }),
  // @ts-expect-error there is no such status
  client.PATCH('/api/tasks/{taskId}', { params: { path: { taskId: 1 } }, body: { status: 'sown' } }),
  // @ts-expect-error an id is a number
  client.GET('/api/boards/{boardId}', { params: { path: { boardId: 'garden' } } }),
  // @ts-expect-error to find, one needs a text
  client.GET('/api/find'),
  // @ts-expect-error there is no such call
  client.GET('/api/gardens'),
  // @ts-expect-error a board is not replaced
  client.PUT('/api/boards/{boardId}', { params: { path: { boardId: 1 } } }),
]

/** Keeps the session's cookie, as a browser does. */
function signedInClient(baseUrl: string, address: string) {
  const client = createClient<paths>({ baseUrl })
  const cookies = new Map<string, string>()
  client.use({
    onRequest({ request }) {
      request.headers.set('x-forwarded-for', address)
      request.headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
      return request
    },
    onResponse({ response }) {
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
        cookies.set(name, value)
      }
    },
  })
  return client
}

function taken<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`)
  return data
}
