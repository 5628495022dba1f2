import { setImmediate } from 'node:timers/promises'

/** A JSON array in pieces, each made in a turn of its own, so that others have theirs in between. */
export async function* jsonOf(slices: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const slice of slices) {
    if (slice.length === 0) continue
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ','
    await setImmediate()
  }
  yield before === '[' ? '[]' : ']'
}

/**
 * Pieces as a body that is made as fast as it is taken. What fails before the first piece is thrown here. `ended` is
 * called, perhaps more than once, when nothing more will be made.
 */
export async function streamOf(pieces: AsyncGenerator<string>, ended: () => void): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const piece = async () => {
    try {
      const next = await pieces.next()
      if (next.done) ended()
      return next
    } catch (error) {
      ended()
      throw error
    }
  }
  let next: Promise<IteratorResult<string>> | undefined = Promise.resolve(await piece())
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await (next ?? piece())
      next = undefined
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel() {
      ended()
      void pieces.return(undefined)
    },
  })
}
