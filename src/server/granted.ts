import type { SignedIn } from './signedIn'

declare const granted: unique symbol

/** Only grants.ts files make grants; a grant to change something holds its board's lock until the transaction ends. */
export type Granted<Facts, Right extends string> = Facts & { readonly [granted]: { readonly [R in Right]: true } }

export type AnnounceGrant = Granted<{ viewer: SignedIn; board: { id: number } }, 'announce'>
