/** A secret of 32 random bytes for a link, as base64url. */
export const newToken = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })

/** What is stored of a token: the token cannot be read back from it. */
export const hashToken = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('hex')
