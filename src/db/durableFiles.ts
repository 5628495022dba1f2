import { fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { FOR_OTHERS } from './ownerOnly'

type Files = {
  tryFSOperation<T>(operation: () => T): T
  node_ops: { setattr(node: unknown, attributes: { mode?: number }): void }
  stream_ops: { fsync?(stream: { nfd: number }): number }
}

type Faults = { failed(error: unknown): void; end(): void }

/** Syncs really, closes files to other users, and tells what failed: Postgres spins for ever once it has given up. */
export class DurableFS extends NodeFS {
  constructor(
    folder: string,
    private readonly faults: Faults,
  ) {
    super(folder)
  }

  override async init(...args: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...args)
    emscriptenOpts.preRun?.push(({ NODEFS }: { NODEFS: Files }) => {
      this.report(NODEFS)
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        NODEFS.tryFSOperation(() => fsyncSync(nfd))
        return 0
      }
      const { setattr } = NODEFS.node_ops
      NODEFS.node_ops.setattr = (node, { mode, ...others }) =>
        setattr(node, mode === undefined ? others : { ...others, mode: mode & ~FOR_OTHERS })
    })
    return { emscriptenOpts: { ...emscriptenOpts, onAbort: () => this.faults.end() } }
  }

  private report(files: Files) {
    const { tryFSOperation } = files
    files.tryFSOperation = (operation) =>
      tryFSOperation(() => {
        try {
          return operation()
        } catch (error) {
          this.faults.failed(error)
          throw error
        }
      })
  }
}
