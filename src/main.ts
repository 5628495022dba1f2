import { builtServer } from './site/builtServer'

if (import.meta.main) {
  const built = process.env.NODE_ENV === 'production' ? await builtServer() : undefined
  const { start } = built ?? (await import('./start'))
  await start()
}
