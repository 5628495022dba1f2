export const newToken = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })

/** Only hashes are stored: a reader of a backup cannot use the links. */
export const hashToken = (token: string): string => Bun.SHA256.hash(token, 'hex')
