import { afterAll, expect, spyOn, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../src/config'
import { findServer } from '../../src/site/cli/runCommand'
import { listenForCommands } from '../../src/site/cli/socket'
import { onOneDatabase } from '../support/databases'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
afterAll(folder.remove)

onOneDatabase('the socket of a running server', (server) => {
  const listen = async (name: string) => {
    const config = readConfig({ DATA_DIR: join(folder.path, name) })
    await mkdir(config.dataDir, { recursive: true })
    const services = () => Promise.reject(new Error('nobody asks for them'))
    const listening = await listenForCommands({ config, database: { db: server.db, close: async () => {} }, services })
    return { config, stop: listening.stop }
  }

  test('answers until it is stopped, also where a killed one left its own', async () => {
    await mkdir(join(folder.path, 'short/command'), { recursive: true })
    await Bun.write(join(folder.path, 'short/command/socket'), '')
    const { config, stop } = await listen('short')
    const found = await findServer(config)
    await expect(found?.run('nonsense', {})).rejects.toThrow(
      'the running server has no command "nonsense": is it a different version?',
    )
    stop()
    expect(await findServer(config)).toBeUndefined()
  })

  test('whose path is too long is missing, which is said; the server runs all the same', async () => {
    const warned = spyOn(console, 'warn').mockImplementation(() => {})
    const { config, stop } = await listen('x'.repeat(100))
    expect(warned.mock.calls).toEqual([
      [expect.stringMatching(/^commands cannot reach this server through .+: its path is longer than 107 bytes$/)],
    ])
    warned.mockRestore()
    expect(await findServer(config)).toBeUndefined()
    stop()
  })
})
