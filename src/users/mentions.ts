const MENTION = /(?<![\p{L}\p{N}_/@])@([A-Za-z0-9._-]+)(?![\p{L}\p{N}@._-])/gu

export type Mention = { from: number; to: number; username: string }

/** Known usernames only. Trailing punctuation belongs to a name only if that user exists. */
export function mentionsIn(content: string, isKnown: (username: string) => boolean): Mention[] {
  return [...content.matchAll(MENTION)].flatMap(({ 1: written = '', index }) => {
    let username = written.toLowerCase()
    while (!isKnown(username) && /[._-]$/.test(username)) username = username.slice(0, -1)
    return isKnown(username) ? [{ from: index, to: index + 1 + username.length, username }] : []
  })
}
