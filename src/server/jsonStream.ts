import { setImmediate } from 'node:timers/promises'

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
export async function streamText(chunks: AsyncGenerator<string>, onEnd: () => void): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const nextChunk = async () => {
    try {
      const next = await chunks.next()
      if (next.done) onEnd()
      return next
    } catch (error) {
      onEnd()
      throw error
    }
  }
  let first: Promise<IteratorResult<string>> | undefined = Promise.resolve(await nextChunk())
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await (first ?? nextChunk())
      first = undefined
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel() {
      onEnd()
      void chunks.return(undefined)
    },
  })
}
