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

/** Pieces as a body that is made as fast as it is taken. What fails before the first piece is thrown here. */
export async function streamOf(pieces: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<string>> | undefined = Promise.resolve(await pieces.next())
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await (next ?? pieces.next())
      next = undefined
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void pieces.return(undefined),
  })
}
