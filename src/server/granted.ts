import type { SignedIn } from './session'

declare const granted: unique symbol

/**
 * Proof that a right was asked for and given. Only grants.ts files make it, and stores demand it, so that no store can be
 * reached without the check. A grant to change something holds its board's lock until the transaction ends.
 */
export type Granted<Facts, Right extends string> = Facts & { readonly [granted]: { readonly [R in Right]: true } }

/** To announce a change of a board: every grant to change something of a board is one. */
export type AnnounceGrant = Granted<{ viewer: SignedIn; board: { id: number } }, 'announce'>
