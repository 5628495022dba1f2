/** What the main job needs of a browser, whichever way it is driven. Places are XPath. */
export type Tab = {
  goto(url: string): Promise<void>
  /** Waits until `script`, an expression, is true in the page. */
  until(script: string): Promise<void>
  evaluate<Answer>(script: string): Promise<Answer>
  click(place: string): Promise<void>
  /** Into the field at `place`, key by key. */
  type(place: string, text: string): Promise<void>
  /** Where the focus is: a character, Enter, Escape or ArrowRight. */
  press(key: string): Promise<void>
  choose(place: string, file: string): Promise<void>
  picture(): Promise<Uint8Array>
  close(): Promise<void>
}

export const PATIENCE_MS = 20_000

const quoted = (text: string) => `"${text}"`

export const named = (name: string, tags = ['button', 'a']) =>
  `//*[${tags.map((tag) => `self::${tag}`).join(' or ')}][normalize-space(.)=${quoted(name)} or @aria-label=${quoted(name)}]`
export const field = (label: string) =>
  `//*[self::input or self::textarea][@id=//label[normalize-space(.)=${quoted(label)}]/@for or @aria-label=${quoted(label)}]`
export const card = (title: string) => `//*[@data-task][.//p[normalize-space(.)=${quoted(title)}]]`
export const inColumn = (label: string, place: string) => `//section[@aria-label=${quoted(label)}]${place}`
export const text = (words: string) => `//body//*[text()[contains(normalize-space(.), ${quoted(words)})]]`

/** The expression that is true once something visible stands at `place`. */
export const isShown = (place: string) => {
  const found = `document.evaluate(${JSON.stringify(place)}, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE)`
  return `(() => { const all = ${found}; for (let nth = 0; nth < all.snapshotLength; nth++) if (all.snapshotItem(nth).getClientRects().length > 0) return true; return false })()`
}
