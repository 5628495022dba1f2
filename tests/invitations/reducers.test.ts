import { expect, test } from 'bun:test'
import { applyToInvitations } from '../../src/invitations/page/cache'
import type { OpenInvitation } from '../../src/invitations/schema'
import type { BoardChange } from '../../src/protocol'

const at = (id: number, given: Partial<OpenInvitation> = {}): OpenInvitation => ({
  id,
  email: `${id}@example.org`,
  status: 'pending',
  expiresAt: '2026-01-08T00:00:00.000Z',
  invitedBy: id,
  ...given,
})
const changed = (invitation: OpenInvitation): BoardChange => ({ type: 'invitation_changed', payload: { invitation } })
const user = { id: 9, username: 'new', name: null, avatar: '' }
const list = [at(1), at(2), at(4)]

for (const [what, change, ids] of [
  ['a new one', changed(at(5)), [1, 2, 4, 5]],
  ['one that comes late', changed(at(3)), [1, 2, 3, 4]],
  ['a renewed one', changed(at(2, { invitedBy: 7 })), [1, 2, 4]],
  ['a revoked one', changed(at(2, { status: 'revoked' })), [1, 4]],
  ['one revoked that is not there', changed(at(8, { status: 'revoked' })), [1, 2, 4]],
  ['a member who came by two of them', { type: 'board_member_added', payload: { user, invitationIds: [1, 4] } }, [2]],
  ['a member who came by none', { type: 'board_member_added', payload: { user } }, [1, 2, 4]],
  ['a member who left, with what they had sent', { type: 'board_member_removed', payload: { userId: 4 } }, [1, 2]],
  ['a deleted task', { type: 'task_deleted', payload: { taskId: 1 } }, [1, 2, 4]],
] as [string, BoardChange, number[]][])
  test(`${what} leaves the list as it was, and twice is as once`, () => {
    const before = structuredClone(list)
    const once = applyToInvitations(list, change)
    expect(list).toEqual(before)
    expect(once.map(({ id }) => id)).toEqual(ids)
    expect(applyToInvitations(once, change)).toEqual(once)
  })
