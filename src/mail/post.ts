/** Sends the mails that the database holds. */
export type Post = {
  /** There may be something new to send; answers at once. */
  wake(): void
}

export const createPost = (): Post => ({ wake() {} })
