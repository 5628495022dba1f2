import { z } from 'zod'

export const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)

export const url = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.test(new URL(value).protocol), `must be an address like ${example}`)

export const webUrl = (example: string) => url(/^https?:$/, example)

/** Browsers send no other characters as a host's; `URL` takes more. */
const HOST = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

export const originLike = (example: string) =>
  webUrl(example).superRefine((value, ctx) => {
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) return
    if (!/^https?:\/\/[^\s\\/?#@]+\/?$/i.test(value.trim())) ctx.addIssue(`must be an origin without a path, like ${example}`)
    else if (!HOST.test(new URL(value).hostname))
      ctx.addIssue(`must have a host of letters, digits, dots and hyphens, like ${example}`)
  })

export const flag = z
  .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'must be true or false')
  .transform((value) => ['1', 'true', 'yes', 'on'].includes(value))

export const secret = z.string().min(1)
export const startingWith = (pattern: RegExp, start: string) => z.string().regex(pattern, `must begin with ${start}`).optional()
export const mailAddress = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an email address')
export const sender = z
  .string()
  .regex(/^[^\s@<>]+@[^\s@<>]+$|^[^<>]+<[^\s@<>]+@[^\s@<>]+>$/, 'must be an email address, or a name and <address>')

export const domains = z
  .string()
  .toLowerCase()
  .transform((value) => value.split(',').map((domain) => domain.trim()))
  .refine((all) => all.every((domain) => DOMAIN.test(domain)), 'must be comma-separated domains, like example.com,example.org')

/** Endings of file names; `images` are all kinds of pictures, `any` is every file. */
export const fileTypes = z
  .string()
  .toLowerCase()
  .transform((value) => value.split(',').map((type) => type.trim().replace(/^\./, '')))
  .refine(
    (all) => all.every((type) => /^[a-z0-9]{1,16}$/.test(type)),
    'must be comma-separated file extensions or groups, like images,pdf,zip, or any',
  )

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Each as a URL has it: `host:port`. */
export const servers = z.string().transform((value, ctx) =>
  value.split(',').map((given) => {
    const [, host = '', port] = /^([^\s/@?#]+):(\d{1,5})$/.exec(given.trim()) ?? []
    const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
    if (!hostname || Number(port) < 1 || Number(port) > 65_535)
      ctx.addIssue('must be comma-separated host:port pairs, like planka.lan:1337,10.0.0.5:80')
    else if (NEVER_ASKED.test(hostname))
      ctx.addIssue(`must not name ${hostname}: imports never ask this machine, nor link-local addresses`)
    return `${hostname}:${Number(port)}`
  }),
)

/** What else leads to such an address is refused when it is asked. */
const NEVER_ASKED = /^((.*\.)?localhost|(0|127|169\.254)(\.\d+)+|\[(::|fe[89ab]).*)$/

export const replacedBy = (other: string) => z.undefined(`is no longer used: set ${other} instead`).optional()
