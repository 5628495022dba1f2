import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Digest } from './manifest'

export type Zip = ReturnType<typeof createZip>

/** Written as fast as `output` is read. */
export function createZip() {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  output.once('close', () => failed.reject(new Error('nobody takes the archive any more')))
  zip.once('error', failed.reject)

  function add(name: string, chunks: AsyncIterable<string | Uint8Array>, compress: boolean): Promise<Digest> {
    // The library keeps each entry to the end, and with it whatever its function knows.
    let waiting: typeof chunks | undefined = chunks
    const written = new Promise<Digest>((resolve, reject) =>
      zip.addReadStreamLazy(name, { compress, mode: 0o100600 }, (take) => {
        if (waiting) take(null, streamOf(waiting, resolve, reject))
        waiting = undefined
      }),
    )
    return Promise.race([written, failed.promise])
  }

  return { output, add, end: () => zip.end(), fail: (error: Error) => output.destroy(error) }
}

function streamOf(chunks: AsyncIterable<string | Uint8Array>, resolve: (digest: Digest) => void, reject: (error: Error) => void) {
  const { counted, digest } = digesting(chunks)
  const stream = Readable.from(counted, { objectMode: false })
  stream.once('end', () => resolve(digest()))
  stream.once('error', reject)
  return stream
}

/** The same chunks, and what they came to. */
export function digesting(chunks: AsyncIterable<string | Uint8Array>) {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  async function* counted() {
    for await (const chunk of chunks) {
      const buffer = Buffer.from(chunk as Uint8Array)
      hash.update(buffer)
      bytes += buffer.length
      yield buffer
    }
  }
  return { counted: counted(), digest: (): Digest => ({ bytes, sha256: hash.digest('hex') }) }
}
