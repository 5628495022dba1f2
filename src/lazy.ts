/** Created on first use: Intl's formats, for one, would cost every start of the page milliseconds. */
export function lazy<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
