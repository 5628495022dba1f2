import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]
export type LogSettings = { level: Level; format: 'json' | 'text' }
type Facts = Record<string, string | number | undefined>

let settings: LogSettings = { level: 'info', format: 'text' }
let hasRequests = false

/** Until it is called, lines are text, and requests are not logged. */
export function openLog(given: LogSettings): void {
  settings = given
  if (!hasRequests) process.on('exit', flush)
  hasRequests = true
}

/** The current request: its id is added to whatever is logged meanwhile. */
export const requests = new AsyncLocalStorage<{ id: string }>()

const isOn = (level: Level) => LEVELS.indexOf(level) >= LEVELS.indexOf(settings.level)

/** Logs an error with its stack, but without what people wrote. */
const saying =
  (level: Level, write: (text: string) => void) =>
  (message: string, facts: Facts = {}, error?: unknown): void => {
    if (!isOn(level)) return
    const request = settings.format === 'json' ? requests.getStore()?.id : undefined
    const told = { ...facts, ...(request && { request }), ...(error !== undefined && { error: describe(error) }) }
    const text = line(level, message, told)
    write(level === 'warn' || level === 'error' ? withoutAddresses(text) : text)
  }

// Looked up each time: tests listen to the console.
export const log = {
  debug: saying('debug', (text) => console.log(text)),
  info: saying('info', (text) => console.log(text)),
  warn: saying('warn', (text) => console.warn(text)),
  error: saying('error', (text) => console.error(text)),
}

export function logChanges(begins: string, ends: string) {
  let was = false
  return (is: boolean) => {
    if (is !== was) log.warn(is ? begins : ends)
    was = is
  }
}

function line(level: Level, message: string, { error, ...facts }: Facts): string {
  if (settings.format === 'json') return JSON.stringify({ time: new Date().toISOString(), level, message, ...facts, error })
  const pairs = Object.entries(facts).filter(([, value]) => value !== undefined)
  return [message, ...pairs.map(([name, value]) => `${name}=${value}`), ...(error === undefined ? [] : [`\n${error}`])].join(' ')
}

const FRAME = /^ {4}at .*$/gm

/** Drizzle's own message, and PGlite's error, contain the values written. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause, stack = '' } = error
  if (!('query' in error && 'params' in error)) return cause instanceof Error ? `${stack}\n${describe(cause)}` : stack
  return [error.query, cause instanceof Error ? cause.message : error.name, ...(stack.match(FRAME) ?? [])].join('\n')
}

/** Answers of mail servers and others may contain addresses. */
const withoutAddresses = (text: string) => text.replace(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '(an address)')

const FLUSH_EVERY_MS = 100
const MOST_WAITING = 2 ** 20

let waiting = ''
let timer: Timer | undefined

/** A line per request, written together with others of the same tenth of a second. */
export function logRequest(level: Level, facts: Facts): void {
  if (!hasRequests || !isOn(level) || waiting.length > MOST_WAITING) return
  waiting += `${settings.format === 'json' ? line(level, 'request', facts) : readable(facts)}\n`
  timer ??= setTimeout(flush, FLUSH_EVERY_MS)
}

function readable({ method, route, status, ms, ...facts }: Facts): string {
  return line('info', `${method} ${route} ${status} ${ms} ms`, facts)
}

function flush() {
  clearTimeout(timer)
  timer = undefined
  try {
    while (waiting) {
      const bytes = Buffer.from(waiting)
      waiting = bytes.subarray(writeSync(1, bytes)).toString()
    }
  } catch (error) {
    // The reader is slow; lines that nobody will read are dropped.
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') timer = setTimeout(flush, FLUSH_EVERY_MS)
    else waiting = ''
  }
}
