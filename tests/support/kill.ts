const WORKERS = 6

/** Has several do something again and again, and kills who does it for them once it was done so often; until it is not. */
export async function workUntilKilled(enough: number, kill: () => void, isDone: () => Promise<boolean>): Promise<void> {
  let done = 0
  const workers = Array.from({ length: WORKERS }, async () => {
    while (await isDone()) if (++done === enough) kill()
  })
  await Promise.all(workers)
}
