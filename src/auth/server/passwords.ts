/**
 * argon2id as OWASP recommends it first: 19 MiB, two passes. Bun's own 64 MiB cost four times as much, and many who sign
 * in at once would fill a small server's memory.
 */
const SETTINGS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Made once: making it at each start took half of the start. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$fVldGeygfaI0JD1286T2MKyOa5j8YStXLMgp2CExhtg$k6FXh/j9RUPwVBG4TaSciYxLlZn7rVTvheiU/5Us1Lw'

/** What is stored of a password. Slow: outside of transactions only. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, SETTINGS)

/** Whether `hash` is of the password; where there is none, it is not, which takes as long to find out. Slow, as above. */
export const isPassword = async (given: string, hash: string | null | undefined): Promise<boolean> =>
  (await Bun.password.verify(given, hash ?? NOBODYS_HASH)) && !!hash
