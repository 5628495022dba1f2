/** What is counted (contract.md, section 2). */
export type Limit = 'failedLogins' | 'mails' | 'registrations' | 'calls'

export type Limits = {
  /** Counts one against each of `keys` (an account, a network address). Throws TOO_MANY_REQUESTS with the seconds to wait. */
  spend(limit: Limit, ...keys: string[]): Promise<void>
  /** Takes back what was counted. */
  giveBack(limit: Limit, ...keys: string[]): Promise<void>
}

export const createLimits = (): Limits => ({ async spend() {}, async giveBack() {} })
