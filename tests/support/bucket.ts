import { happenings } from './until'

const BUCKET = 'wrk-files'
const KEY = 'AKIAEXAMPLE'

/** How the store answers: as it should; that it cannot; to uploads and deletions, not before it is let go. */
type Manner = 'works' | 'is down' | 'hangs'

/** A stand-in for an S3-compatible store, over HTTP in the test's process; its `env` names it to a server. */
export function bucket() {
  const objects = new Map<string, { bytes: Uint8Array; type: string | null }>()
  /** The parts of uploads that were begun, by their keys. */
  const unfinished = new Map<string, Uint8Array[]>()
  let isRefused = (_asked: string) => false
  let manner: Manner = 'works'
  let letGo = Promise.withResolvers<void>()
  const { happen, until } = happenings()

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (!request.headers.get('authorization')?.startsWith(`AWS4-HMAC-SHA256 Credential=${KEY}/`))
      return refused(403, 'AccessDenied')
    if (searchParams.has('list-type')) {
      const keys = [...objects.keys()].filter((key) => key.startsWith(searchParams.get('prefix') ?? '')).toSorted()
      return listed(keys, Number(searchParams.get('continuation-token') ?? 0))
    }
    if (!/^\/wrk-files\/(uploads|backups)\//.test(pathname)) return refused(404, 'NoSuchBucket')
    const name = pathname.slice(`/${BUCKET}/`.length).replace(/^uploads\//, '')
    if (manner === 'is down' || isRefused(`${request.method} ${name}`)) return refused(503, 'SlowDown')
    if (searchParams.has('uploads') || searchParams.has('uploadId')) return answerPart(request, name, searchParams)
    const object = objects.get(name)
    if (request.method === 'PUT') {
      objects.set(name, { bytes: await request.bytes(), type: request.headers.get('content-type') })
      happen()
      if (manner === 'hangs') await letGo.promise
      return new Response(null)
    }
    if (request.method === 'DELETE') {
      objects.delete(name)
      happen()
      return new Response(null, { status: 204 })
    }
    return object ? new Response(new Blob([new Uint8Array(object.bytes)])) : refused(404, 'NoSuchKey')
  }

  async function answerPart(request: Request, name: string, asked: URLSearchParams): Promise<Response> {
    const parts = unfinished.get(name) ?? []
    unfinished.set(name, parts)
    if (asked.has('uploads')) return xml('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    if (request.method === 'PUT') {
      parts[Number(asked.get('partNumber')) - 1] = await request.bytes()
      return new Response(null, { headers: { etag: '"part"' } })
    }
    unfinished.delete(name)
    if (request.method === 'POST') objects.set(name, { bytes: Buffer.concat(parts), type: null })
    happen()
    return request.method === 'POST' ? xml('<CompleteMultipartUploadResult/>') : new Response(null, { status: 204 })
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer, idleTimeout: 120 })
  return {
    env: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: 'a secret',
    },
    objects,
    unfinished,
    /** Answers 503 to "METHOD key" where it says so. */
    refuse(next: typeof isRefused) {
      isRefused = next
    },
    names: async () => [...objects.keys()],
    /** Waits until the store holds what it should. */
    until: (isRight: (names: string[]) => boolean) =>
      until(
        () => isRight([...objects.keys()]),
        () => `the bucket holds ${[...objects.keys()]}`,
      ),
    behave(next: Manner) {
      manner = next
      if (next === 'hangs') return
      letGo.resolve()
      letGo = Promise.withResolvers()
    },
    remove: () => server.stop(true),
  }
}

const LISTED_AT_ONCE = 3

function listed(keys: string[], from: number) {
  const end = from + LISTED_AT_ONCE
  const contents = keys.slice(from, end).map((key) => `<Contents><Key>${key}</Key></Contents>`)
  const more = `<IsTruncated>true</IsTruncated><NextContinuationToken>${end}</NextContinuationToken>`
  const result = `<ListBucketResult>${contents.join('')}${end < keys.length ? more : ''}</ListBucketResult>`
  return xml(result)
}

const xml = (text: string) => new Response(text, { headers: { 'content-type': 'application/xml' } })

const refused = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
