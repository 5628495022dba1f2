import { lazy } from '../../lazy'
import { Refusal } from '../../server/errors'
import { PASSWORD_MIN } from '../schema'

/** OWASP's first choice. Bun's default of 64 MiB costs four times as much and can fill a small server. */
const SETTINGS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Precomputed: hashing it took half of the startup time. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$fVldGeygfaI0JD1286T2MKyOa5j8YStXLMgp2CExhtg$k6FXh/j9RUPwVBG4TaSciYxLlZn7rVTvheiU/5Us1Lw'

/** Slow: only outside transactions. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, SETTINGS)

/** False without a hash, after the same time. Slow: only outside transactions. */
export const isPassword = async (given: string, hash: string | null | undefined): Promise<boolean> =>
  (await Bun.password.verify(given, hash ?? NOBODYS_HASH)) && !!hash

const COMMONEST = 10_000
const TOO_COMMON = 'This password is too common'

const commonPasswords = lazy(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const long = dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_MIN)
  return new Set(long.slice(0, COMMONEST))
})

export async function assertUncommon(password: string, field: string): Promise<void> {
  if ((await commonPasswords()).has(password.toLowerCase()))
    throw new Refusal('BAD_REQUEST', TOO_COMMON, { issues: [{ path: field, message: TOO_COMMON }] })
}
