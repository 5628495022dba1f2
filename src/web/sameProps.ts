/** For `memo`: compares lists by their items, because each change makes a new list. */
export function sameProps<Props extends object>(before: Props, after: Props): boolean {
  const keys = Object.keys(after) as (keyof Props)[]
  return keys.length === Object.keys(before).length && keys.every((key) => isSame(before[key], after[key]))
}

const isSame = (before: unknown, after: unknown): boolean =>
  Object.is(before, after) ||
  (Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === after.length &&
    before.every((item, nth) => Object.is(item, after[nth])))
