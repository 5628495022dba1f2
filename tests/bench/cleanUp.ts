type Undo = () => Promise<unknown>
const undone: Undo[] = []

/** What a benchmark has made is undone at its end, the last first, also where it is interrupted. */
export function atEnd(undo: Undo): void {
  undone.push(undo)
}

export async function withCleanUp(work: () => Promise<unknown>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
  try {
    await work()
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
  await cleanUp()
  process.exit()
}

let cleaning: Promise<void> | undefined
const cleanUp = () => (cleaning ??= undoAll())

async function undoAll() {
  for (let undo = undone.pop(); undo; undo = undone.pop()) await undo().catch(console.error)
}
