const FILE = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))

let compiling: Promise<WebAssembly.Module> | undefined

/**
 * Compiles the embedded Postgres, once in a process. It is half of a start, and it happens on another thread: begun
 * before the rest of the server is loaded, it is done when that is.
 */
export function compilePostgres(): Promise<WebAssembly.Module> {
  compiling ??= Bun.file(FILE)
    .bytes()
    .then((bytes) => WebAssembly.compile(bytes))
  return compiling
}
