/** Rejects with the result of `late` if `answer` takes longer; in two steps, so that a busy process sees arrived answers. */
export function withTimeout<T>(milliseconds: number, answer: PromiseLike<T>, late: () => Error): Promise<T> {
  const { promise: gone, reject } = Promise.withResolvers<never>()
  let timer = setTimeout(() => {
    timer = setTimeout(() => reject(late()), milliseconds / 2)
  }, milliseconds / 2)
  return Promise.race([answer, gone]).finally(() => clearTimeout(timer))
}

/** Runs `work` unless it is already running; returns the current run. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
