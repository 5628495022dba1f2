import { asked, type Deed, type Make, memberKey, token } from './deed'

export const renameBoard: Make = ({ lot, person, snapshot: { board } }) => {
  if (board.createdBy !== person.id) return
  const field = lot.oneOf(['name', 'description'] as const)
  const value = token('Board')
  const ask = asked('boards.update', 'PATCH', '/api/boards/:boardId', { boardId: board.id, [field]: value })
  return { ask, facts: () => [{ key: `board ${board.id} ${field}`, value, of: [] }] }
}

const addMember = (boardId: number, user: { id: number; name: string }): Deed => ({
  ask: asked('boards.addMember', 'POST', '/api/boards/:boardId/members', { boardId, username: user.name }),
  // Somebody who has left is only invited back.
  facts: (_, answer) => (isInvitation(answer) ? [] : [{ key: memberKey(boardId, user.id), value: 'there', of: [] }]),
})

const isInvitation = (answer: unknown) => typeof answer === 'object' && answer !== null && 'invitation' in answer

export const removeMember = (boardId: number, user: { id: number }): Deed => ({
  ask: asked('boards.removeMember', 'DELETE', '/api/boards/:boardId/members/:userId', { boardId, userId: user.id }),
  facts: () => [{ key: memberKey(boardId, user.id), value: null, of: [] }],
})

export const inviteByMail: Make = ({ snapshot: { board } }) => {
  const email = `${token('guest').replace(' ', '')}@example.com`
  const ask = asked('boards.addMember', 'POST', '/api/boards/:boardId/members', { boardId: board.id, email })
  return { ask, facts: () => [{ key: `board ${board.id} invited ${email}`, value: 'there', of: [] }] }
}

/** Somebody is added who is not on the board, one removes somebody who is, or leaves. */
export const changeMembers: Make = ({ lot, person, snapshot: { board }, people }) => {
  const isOn = (id: number) => board.members.some((member) => member.id === id)
  const stranger = people.find(({ id }) => !isOn(id))
  if (stranger && lot.below(2) === 0) return addMember(board.id, stranger)
  const others = people.filter(({ id }) => isOn(id) && id !== board.createdBy)
  if (board.createdBy === person.id) return others.length > 3 ? removeMember(board.id, lot.oneOf(others)) : undefined
  return lot.below(4) === 0 ? removeMember(board.id, person) : undefined
}

export const renameOneself: Make = ({ person }) => {
  const name = token('Name')
  const ask = asked('users.update', 'PATCH', '/api/users/profile', { name })
  return { ask, facts: () => [{ key: `user ${person.id} name`, value: name, of: [] }] }
}
