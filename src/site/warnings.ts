import { type Config, isLoopback } from '../config'
import { log } from '../log'

export function warningsOf({ production, isLocal, host, publicUrl, smtpUrl, dataDir }: Config): string[] {
  const warnings: string[] = []
  if (!production && !isLocal)
    warnings.push(
      `${isLoopback(host) ? 'PUBLIC_URL is not' : `HOST is ${host}, not`} this machine’s own address, so this looks like production: ` +
        'set NODE_ENV=production and PUBLIC_URL to the site’s address. The developer’s sign-in and simulated payment are off',
    )
  if (production && !isLocal && publicUrl?.startsWith('http:'))
    warnings.push('PUBLIC_URL starts with http: others can read passwords and sessions in transit. Use https')
  if (production && !smtpUrl)
    warnings.push(`SMTP_URL is not set, so no email leaves this machine: each is kept as a file in ${dataDir}/mail for a day`)
  return warnings
}

/** Warns once if there seems to be a proxy in front that is not trusted. */
export function forwardingWarning({ trustProxy }: Pick<Config, 'trustProxy'>) {
  let isDone = trustProxy
  return ({ headers }: Request) => {
    if (isDone || !headers.has('x-forwarded-for')) return
    isDone = true
    log.warn(
      'a request came with X-Forwarded-For, but TRUST_PROXY is off: behind a proxy, everyone appears to have the proxy’s address and shares one set of limits. ' +
        'Set TRUST_PROXY=1 only if every request comes through one proxy that sets this header. Leave it off if anyone can ' +
        'reach this port directly, since anyone can fake the header',
    )
  }
}
