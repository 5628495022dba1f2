const FILE = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))

let compiling: Promise<WebAssembly.Module> | undefined

/** Half of a start, on another thread: begun before the rest is loaded, it is done when that is. */
export function compilePostgres(): Promise<WebAssembly.Module> {
  compiling ??= Bun.file(FILE)
    .bytes()
    .then((bytes) => WebAssembly.compile(bytes))
  return compiling
}
