import type { SignedIn } from './signedIn'

declare const granted: unique symbol

/**
 * Proof that a right was checked. Only grants.ts files make grants; stores demand them. A grant to change something holds its
 * board's lock until the transaction ends. A spread keeps the proof: never put other facts into a grant.
 */
export type Granted<Facts, Right extends string> = Facts & { readonly [granted]: { readonly [R in Right]: true } }

export type AnnounceGrant = Granted<{ viewer: SignedIn; board: { id: number } }, 'announce'>
