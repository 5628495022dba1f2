#!/usr/bin/env bun
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Command, command, type Module, type Say, STDOUT, WrongUsage } from './command'
import { COMMANDS } from './commands'
import { helpOn, showHelp } from './output'

const START_OPTIONS = {
  dev: { type: 'boolean', help: 'Serves the page as you edit it' },
  'no-page': { type: 'boolean', help: 'Serves the API only' },
} as const

const ALL_COMMANDS: Record<string, Command> = {
  // The server reads its options itself.
  start: command(
    'Starts the server',
    [],
    START_OPTIONS,
    async () => ({ start: { here: async () => (await import('../../main')).main() } }),
    'start',
  ),
  ...COMMANDS,
  help: command(
    'Lists all commands, or explains one',
    ['command?', 'subcommand?'],
    {},
    async () => ({
      help: {
        here: async ({ command = '', subcommand = '' }) => helpOn(ALL_COMMANDS, `${command} ${subcommand}`.trim()),
        show: showHelp,
      },
    }),
    'help',
  ),
}

const EVERYWHERE = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

type Asked = { name: string; command: Command; given: Record<string, unknown>; json: boolean }

/** Throws WrongUsage. */
function parse(args: string[]): Asked {
  const name = nameIn(args)
  const command = Object.hasOwn(ALL_COMMANDS, name) ? ALL_COMMANDS[name] : undefined
  if (!command) return parse(['help', ...args.filter((arg) => arg !== '--help' && arg !== '-h')])
  const { values, positionals } = read(command, args.slice(name.split(' ').length))
  const { json, help, ...options } = values
  if (help) return parse(['help', ...name.split(' '), ...(json ? ['--json'] : [])])
  return { name, command, given: { ...argumentsIn(command, positionals), ...options }, json: json === true }
}

/** The longest name that fits: "user list" before "user". */
function nameIn([first = 'help', second]: string[]): string {
  const both = `${first} ${second}`
  return Object.hasOwn(ALL_COMMANDS, both) ? both : first
}

function read(command: Command, args: string[]) {
  const options: ParseArgsOptionsConfig = { ...EVERYWHERE }
  for (const [option, { type }] of Object.entries(command.options)) options[option] = { type }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message.split('. ')[0] : String(error))
  }
}

function argumentsIn(command: Command, positionals: string[]) {
  const missing = command.arguments.find((one, n) => !one.endsWith('?') && positionals[n] === undefined)
  if (missing) throw new WrongUsage(`${missing.toUpperCase()} is missing`)
  const tooMany = positionals[command.arguments.length]
  if (tooMany !== undefined) throw new WrongUsage(`unexpected argument "${tooMany}"`)
  return Object.fromEntries(command.arguments.map((one, n) => [one.replace('?', ''), positionals[n]]))
}

const FAILED = 1
const WRONG_USAGE = 2

const FLAGS = ['--json', '--help', '-h']

/** Flags may come first. */
function withFlagsLast(args: string[]): string[] {
  const first = Math.max(
    0,
    args.findIndex((arg) => !FLAGS.includes(arg)),
  )
  return [...args.slice(first), ...args.slice(0, first)]
}

const args = withFlagsLast(process.argv.slice(2))
const say: Say = (text) => console.error(text)

async function perform() {
  const { name, command, given, json } = parse(args)
  const module: Module = await command.load()
  const asked = ('prepare' in module ? module.prepare?.(given as never) : given) as never
  const result =
    'here' in module ? await module.here(asked, say) : await (await import('./runCommand')).runCommand(name, module, asked, say)
  // A server keeps running.
  if (result === undefined) return
  const output = 'stream' in module && given.file === STDOUT ? Bun.stderr : Bun.stdout
  await Bun.write(output, `${json ? JSON.stringify(result) : module.show?.(result, asked)}\n`)
  process.exit()
}

async function fail(error: unknown) {
  const isUsage = error instanceof WrongUsage
  const known = isUsage ? `${error.message}: see "wrk help"` : (await import('./runCommand')).failureOf(error)
  console.error(known ?? error)
  if (args.includes('--json')) await Bun.write(Bun.stdout, `${JSON.stringify({ error: known ?? 'Something went wrong' })}\n`)
  process.exit(isUsage ? WRONG_USAGE : FAILED)
}

await perform().catch(fail)
