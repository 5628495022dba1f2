import type { Mailbox } from '../support/mail'
import type { People } from '../support/people'

/** Limits are by address: each test invites another. */
export const anyEmail = () => `${crypto.randomUUID().slice(0, 8)}@example.org`

/** Invites an address, and reads the token in its mail. */
export const inviter =
  (box: Mailbox) =>
  async ({ ada, board }: Pick<People, 'ada' | 'board'>, email = anyEmail(), by = ada) => {
    const { body } = await by.http('POST', `/api/boards/${board.id}/members`, { email })
    const token = new URL((await box.next(email)).link ?? '').searchParams.get('token') ?? ''
    const { invitation } = body as { invitation: { id: number } }
    return { email, token, id: invitation.id }
  }
