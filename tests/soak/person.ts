import type { Client } from './client'

type Made = { id: number; taskId: number }

/** Somebody, with sessions to spare, and what they made. */
export type Person = {
  name: string
  id: number
  address: string
  cookies: string[]
  cookie(): string
  comments: Made[]
  entries: Made[]
  timers: Made[]
  deleted: { taskId: number; board: number }[]
  clients: Client[]
}
