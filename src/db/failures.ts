export class DatabaseUnavailable extends Error {}

export class ConnectionLost extends DatabaseUnavailable {}

/** Drizzle and tRPC wrap errors, and the two drivers keep the code in different fields. */
export function sqlState(error: unknown): string | undefined {
  return codesOf(error).find((code) => /^[\dA-Z]{5}$/.test(code))
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  return [String(code), String(errno), ...codesOf(error.cause)]
}

const ENDED = /^(08...|57P0\d|53300|25P03)$/
const NO_LINE = /^ERR_POSTGRES_(CONNECTION_|IDLE_TIMEOUT|LIFETIME_TIMEOUT)/

export const isConnectionLost = (error: unknown): boolean =>
  isOf(error, ConnectionLost) || codesOf(error).some((code) => ENDED.test(code) || NO_LINE.test(code))

/** Only for reads. A connection may have been lost long before it is used. */
export async function againIfLost<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return read()
  }
}

export const isTimeLimit = (error: unknown): boolean => ['55P03', '57014'].includes(sqlState(error) ?? '')

/** Neither the caller's fault nor ours: it may work in a moment. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || isTimeLimit(error) || isOf(error, DatabaseUnavailable)

const isOf = (error: unknown, kind: typeof DatabaseUnavailable): boolean =>
  error instanceof Error && (error instanceof kind || isOf(error.cause, kind))

/** The cause's message: Drizzle's own contains the values written. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? messageOf(error.cause) : error.message
}
