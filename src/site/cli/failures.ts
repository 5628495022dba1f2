import { ArchiveFailed } from '../../archive/schema'
import { ConfigError } from '../../config'
import { CannotOpen } from '../../db/database'
import { explain } from '../../server/errors'
import { CommandFailed, WrongUsage } from './command'

const EXPECTED = [CommandFailed, ArchiveFailed, WrongUsage, ConfigError, CannotOpen]
const FAULT = 500

/** A sentence for the command's user, unless the fault is ours. */
export function failureOf(error: unknown): string | undefined {
  if (error instanceof Error && EXPECTED.some((kind) => error instanceof kind)) return error.message
  const { status, body } = explain(error)
  return status === FAULT ? undefined : body.message
}
