#!/usr/bin/env bun
import { type Module, type Say, WrongUsage } from './command'
import { parse } from './parse'

const FAILED = 1
const WRONG_USAGE = 2

const args = process.argv.slice(2)
const say: Say = (text) => console.error(text)

async function perform() {
  const { name, command, given, json } = parse(args)
  const module: Module = await command.load()
  const asked = ('prepare' in module ? module.prepare?.(given as never) : given) as never
  const result =
    'here' in module ? await module.here(asked, say) : await (await import('./reach')).reach(name, module, asked, say)
  // A server goes on.
  if (result === undefined) return
  const output = 'stream' in module && module.fillsStdout?.(asked) ? Bun.stderr : Bun.stdout
  await Bun.write(output, `${json ? JSON.stringify(result) : module.show?.(result, asked)}\n`)
  process.exit()
}

async function fail(error: unknown) {
  const isUsage = error instanceof WrongUsage
  const known = isUsage ? `${error.message}: see "wrk help"` : (await import('./failures')).failureOf(error)
  console.error(known ?? error)
  if (args.includes('--json')) await Bun.write(Bun.stdout, `${JSON.stringify({ error: known ?? 'Something went wrong' })}\n`)
  process.exit(isUsage ? WRONG_USAGE : FAILED)
}

await perform().catch(fail)
