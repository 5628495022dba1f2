import { type Config, isLoopback } from '../config'

type Given = Pick<Config, 'production' | 'isLocal'>

/** A server that only its own machine reaches, outside production: what is made for developers is there for nobody else. */
export const isForDevelopers = ({ production, isLocal }: Given): boolean => !production && isLocal

const FORWARDED_HOSTS = ['x-forwarded-host', 'x-forwarded-server', 'x-original-host']

/** Whether a request came from that machine. A tunnel or proxy on it may write its own name into Host, and the true one elsewhere. */
export function isDeveloper(config: Given, { url, headers }: Request): boolean {
  if (!isForDevelopers(config) || !isLoopback(URL.parse(url)?.hostname ?? '')) return false
  if (headers.has('forwarded') || headers.has('via')) return false
  return FORWARDED_HOSTS.every((name) => headers.get(name)?.split(',').every(isLoopbackHost) ?? true)
}

const isLoopbackHost = (host: string) => isLoopback(host.trim().replace(/:\d+$/, ''))
