const CHOICES = 100

/** The options whose label contains a text; `more` where there are others. */
export function choicesIn<T extends { label: string }>(options: T[], text: string): { shown: T[]; more: boolean } {
  const found = options.filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()))
  return { shown: found.slice(0, CHOICES), more: found.length > CHOICES }
}

export const MORE_CHOICES = `Only the first ${CHOICES} are shown: type to find others.`
