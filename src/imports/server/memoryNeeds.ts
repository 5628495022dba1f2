import type { Config } from '../../config'
import { createMemoryBudget, type MemoryBudget } from '../../server/memoryBudget'

const MIB = 2 ** 20

/** Memory for reading an archive of any size. tests/imports/memory.test.ts measures all numbers here. */
export const ARCHIVE_BYTES = 20 * MIB
export const PLANKA_BYTES = 64 * MIB
export const PLANKA_LOOK_BYTES = 24 * MIB

/** A conversion takes this, and what it keeps times the factor. */
const CONVERSION_BYTES = 16 * MIB
const GARBAGE_FACTOR = 1.9
const KEPT_LEAST = 16 * MIB
/** Rows of short texts take this many times their size in memory. */
const KEPT_PER_BYTE = 64

export const memoryToConvert = (size: number): number =>
  CONVERSION_BYTES + GARBAGE_FACTOR * Math.max(KEPT_LEAST, size * KEPT_PER_BYTE)

export const keptWithin = (bytes: number): number => (bytes - CONVERSION_BYTES) / GARBAGE_FACTOR

/** Shared by all imports of the process, in three parts so that slow work keeps no upload waiting. */
type ImportMemory = { uploads: MemoryBudget; jobs: MemoryBudget; planka: MemoryBudget }

declare module '../../server/context' {
  interface Services {
    importMemory: ImportMemory
  }
}

export const createImportMemory = ({ importMemory }: Config): ImportMemory => ({
  uploads: createMemoryBudget(importMemory / 2),
  jobs: createMemoryBudget(importMemory / 4),
  planka: createMemoryBudget(importMemory / 4),
})
