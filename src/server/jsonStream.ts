import { setImmediate } from 'node:timers/promises'
import { noteStream } from './requests'

/** A JSON array as text, a chunk per batch of rows. Yields to the event loop between chunks. */
export async function* jsonChunks(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + JSON.stringify(batch).slice(1, -1)
    before = ','
    await setImmediate()
  }
  yield before === '[' ? '[]' : ']'
}

/** A body made as fast as it is read. Throws what fails before the first chunk; may call `onEnd` more than once. */
export async function streamBody(
  chunks: AsyncGenerator<string | Uint8Array>,
  onEnd: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let sent = 0
  let noteEnd = (_bytes: number) => {}
  const end = () => {
    onEnd()
    noteEnd(sent)
  }
  const nextChunk = async () => {
    try {
      const next = await chunks.next()
      if (next.done) end()
      return next
    } catch (error) {
      end()
      throw error
    }
  }
  let first: ReturnType<typeof nextChunk> | undefined = Promise.resolve(await nextChunk())
  noteEnd = noteStream()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await (first ?? nextChunk())
      first = undefined
      if (done) {
        end()
        return controller.close()
      }
      const bytes = typeof value === 'string' ? encoder.encode(value) : value
      sent += bytes.byteLength
      controller.enqueue(bytes)
    },
    cancel() {
      end()
      void chunks.return(undefined)
    },
  })
}
