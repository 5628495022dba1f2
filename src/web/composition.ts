/**
 * Keeps the keys that an input method takes while it composes from the page: the Enter that confirms a conversion submits nothing.
 * Safari ends the composition before that key, which then has only the key code of a composition, 229.
 */
export function ignoreKeysOfComposition(): void {
  window.addEventListener('keydown', (event) => isOfComposition(event) && event.stopImmediatePropagation(), { capture: true })
}

const isOfComposition = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229
