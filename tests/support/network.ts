import type { Config } from '../../src/config'
import { createFetchOutside } from '../../src/server/outbound'

/** By the end of a name: `planka.lan` is in somebody's own network, `files.test` in the internet. */
const ADDRESSES = { lan: '10.1.2.3', test: '93.184.216.34', loopback: '127.0.0.1', metadata: '169.254.169.254' }

/** All of it is on this machine, which is reached only under addresses that the server would ask. */
export const network = {
  async resolve(host: string) {
    const [, end] = Object.entries(ADDRESSES).find(([name]) => host.endsWith(`.${name}`)) ?? []
    if (!end) throw new Error('ENOTFOUND')
    return [end]
  },
  connectTo: () => '127.0.0.1',
}

export const outsideOf = (config: Pick<Config, 'importAllow'>) => createFetchOutside(config, network)
