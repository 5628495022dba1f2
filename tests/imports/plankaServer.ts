import { fixture } from './converted'

export const KEY = 'abcdefgh_0123456789abcdef0123456789abcdef'
export const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWJqZWN0IjoiNyJ9.c2lnbmF0dXJl'
const PAGE = 50

type Answer = object | string | undefined
type Row = { id: string; [field: string]: unknown }

const user = { id: '8', name: 'Grace', username: 'grace' }
const texts = Array.from({ length: 51 }, (_, nth) => `${nth + 1}`)

/** Speaks as Planka does: newest first, fifty at a time. */
const page = (rows: Row[], beforeId: string | null) =>
  rows
    .toReversed()
    .filter(({ id }) => beforeId === null || Number(id) < Number(beforeId))
    .slice(0, PAGE)

const moment = (nth: number) => new Date(Date.UTC(2026, 0, 4, 0, nth)).toISOString()

const comments = texts.map((text, nth) => ({ id: `${200 + nth}`, text, cardId: '40', userId: '8', createdAt: moment(nth) }))
const actions = comments.map(({ text, ...row }) => ({ ...row, type: 'commentCard', data: { text } }))
const archived = texts.map((text, nth) => ({
  id: `${300 + nth}`,
  name: `Archived ${text}`,
  position: null,
  listId: '32',
  prevListId: '30',
  listChangedAt: moment(nth),
  commentsTotal: 0,
  createdAt: moment(nth),
}))

const projects = (included: object) => ({
  items: [{ id: '10', name: 'Summer' }],
  included: { boards: [{ id: '100', name: 'Festival', projectId: '10' }], ...included },
})

const VERSIONS = {
  1: async (path: string, query: URLSearchParams): Promise<Answer> => {
    if (path === '/api/projects') return projects({})
    if (path === '/api/boards/100') return Bun.file(fixture('planka1.json')).json()
    if (path === '/api/cards/40/actions') return { items: page(actions, query.get('beforeId')), included: { users: [user] } }
    return path === '/attachments/61/download/rider.pdf' ? 'the rider' : undefined
  },
  2: async (path: string, query: URLSearchParams): Promise<Answer> => {
    if (path === '/api/projects') return projects({ customFields: [{ id: '75', name: 'Contact' }] })
    if (path === '/api/boards/100') return Bun.file(fixture('planka.json')).json()
    if (path === '/api/cards/40/comments') return { items: page(comments, query.get('beforeId')), included: { users: [user] } }
    if (path === '/api/lists/32/cards') return { items: page(archived, query.get('before[id]')), included: { users: [] } }
    return path === '/attachments/61/download/rider.pdf' ? 'the rider' : undefined
  },
}

/** Version 2 looks for a key only where there is no token; version 1 knows only tokens, and for files only their cookie. */
function isLetIn(version: 1 | 2, path: string, { headers }: Request): boolean {
  const token = path.startsWith('/api/') ? headers.get('authorization') : headers.get('cookie')
  if (token) return token === `Bearer ${TOKEN}` || token === `accessToken=${TOKEN}`
  return version === 2 && headers.get('x-api-key') === KEY
}

export function startPlanka(version: 1 | 2) {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const path = pathname.replace(/^\/planka/, '')
      asked.push(path)
      if (!isLetIn(version, path, request)) return Response.json({ code: 'E_UNAUTHORIZED' }, { status: 401 })
      const answer = await VERSIONS[version](path, searchParams)
      if (answer === undefined) return Response.json({ code: 'E_NOT_FOUND' }, { status: 404 })
      return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
    },
  })
  const allow = `planka.lan:${server.port}`
  return { url: `http://${allow}/planka/`, allow, asked, stop: () => server.stop(true) }
}
