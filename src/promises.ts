/** Rejects with what `late` returns where `answer` takes longer than that. In two steps: a busy process notices what has arrived. */
export function withTimeout<T>(milliseconds: number, answer: PromiseLike<T>, late: () => Error): Promise<T> {
  const { promise: gone, reject } = Promise.withResolvers<never>()
  let timer = setTimeout(() => {
    timer = setTimeout(() => reject(late()), milliseconds / 2)
  }, milliseconds / 2)
  return Promise.race([answer, gone]).finally(() => clearTimeout(timer))
}

/** Runs `work` unless it runs already; answers the run under way. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
