import { dirname, join } from 'node:path'

const file = () => join(dirname(Bun.resolveSync('@electric-sql/pglite', import.meta.dir)), 'pglite.wasm')

let compiling: Promise<WebAssembly.Module> | undefined

/** Half of a start, on another thread: begun before the rest is loaded, it is done when that is. */
export function compilePostgres(): Promise<WebAssembly.Module> {
  compiling ??= Bun.file(file())
    .bytes()
    .then((bytes) => WebAssembly.compile(bytes))
  return compiling
}
