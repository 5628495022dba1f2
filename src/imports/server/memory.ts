import type { Config } from '../../config'
import { createMemory, type Memory } from '../../server/memory'

const MIB = 2 ** 20

/** What reading an archive takes, however large it is; tests/imports/memory.test.ts measures it, as all here. */
export const ARCHIVE_BYTES = 20 * MIB
export const PLANKA_BYTES = 64 * MIB
/** Of one answer, for what there is to ask next. */
export const PLANKA_LOOK_BYTES = 24 * MIB

/** Of a conversion, beside what it keeps; that takes as much again, with garbage and gaps between. */
const CONVERSION_BYTES = 16 * MIB
const GARBAGE_FACTOR = 1.9
const KEPT_LEAST = 16 * MIB
/** Rows of few letters take so many times as much in memory. */
const KEPT_PER_BYTE = 64

/** What converting a text of so many bytes takes at most. */
export const memoryToConvert = (size: number): number =>
  CONVERSION_BYTES + GARBAGE_FACTOR * Math.max(KEPT_LEAST, size * KEPT_PER_BYTE)

/** How much a conversion may keep that holds so many bytes. */
export const keptWithin = (bytes: number): number => (bytes - CONVERSION_BYTES) / GARBAGE_FACTOR

/** Of all imports of a process. What takes longer, as boards are filled or the answers of a Planka are read, keeps no upload waiting. */
type ImportMemory = { uploads: Memory; jobs: Memory; planka: Memory }

declare module '../../server/context' {
  interface Services {
    importMemory: ImportMemory
  }
}

export const createImportMemory = ({ importMemory }: Config): ImportMemory => ({
  uploads: createMemory(importMemory / 2),
  jobs: createMemory(importMemory / 4),
  planka: createMemory(importMemory / 4),
})
