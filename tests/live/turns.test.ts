import { expect, test } from 'bun:test'
import { onEachDatabase } from '../support/databases'

onEachDatabase('many messages of one person', (server) => {
  test('let others have their answers in between', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await ada.socket()
    const answers: string[] = []
    for (let i = 0; i < 58; i++) socket.send('join_board', { boardId: board.id })
    const flood = (async () => {
      for (let i = 0; i < 58; i++) await socket.next('joined_board')
      answers.push('flood')
    })()
    const other = (async () => {
      await Promise.all([1, 2, 3].map(() => bob.http('GET', '/health')))
      answers.push('other')
    })()
    await Promise.all([flood, other])
    expect(answers).toEqual(['other', 'flood'])
  })
})
