import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { boardMembers, users } from '../../src/db/tables'
import { DIST } from '../../src/site/bundle'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { openQuick } from '../support/databases'
import { button, card, enter, press, refusalHeld, refuseCalls, shows, toast, type } from '../support/page'

/** The names of the built scripts that have these words. */
async function scriptsWith(...words: string[]): Promise<string[]> {
  const folder = join(DIST, 'assets')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()))
  return words.map((word) => names[texts.findIndex((text) => text.includes(word))] ?? word)
}

inChromium('the header of a board', (site) => {
  test('is edited in place, which others see as it begins and when it is done', async () => {
    const { ada, bob } = await site.sharedBoard(['lia', 'mona'], [])
    const sent: string[] = []
    ada.on('request', (request) => request.url().includes('boards.update') && sent.push(request.postData() ?? ''))
    expect(await bob.getByRole('button', { name: 'Edit board name' }).count()).toBe(0)

    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await bob.getByText('Lia is editing the name…').waitFor()
    await enter(ada.getByRole('textbox', { name: 'Board name' }), '   ')
    await bob.getByText('Lia is editing the name…').waitFor({ state: 'detached' })
    await ada.getByRole('heading', { name: 'Spring catalogue' }).waitFor()

    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await ada.getByRole('textbox', { name: 'Board name' }).fill('Not this')
    await ada.keyboard.press('Escape')
    await ada.getByRole('button', { name: 'Edit board description' }).click()
    await bob.getByText('Lia is editing the description…').waitFor()
    await enter(ada.getByRole('textbox', { name: 'Board description' }), 'To the printer')
    await toast(ada, 'Board Updated')
    await bob.getByText('To the printer').waitFor()
    expect(sent).toHaveLength(1)
    await ada.getByRole('button', { name: 'Edit board description' }).click()
    await type(ada, ', at last', 'Enter')
    await bob.getByText('To the printer, at last').waitFor()

    await refuseCalls(ada, 'boards.update')
    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await enter(ada.getByRole('textbox', { name: 'Board name' }), 'Autumn catalogue')
    await toast(ada, 'Update Failed', 'Could not update board name. Please try again.')
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    // What was typed is there again, to be sent again.
    expect(await ada.getByRole('textbox', { name: 'Board name' }).inputValue()).toBe('Autumn catalogue')
    await ada.keyboard.press('Enter')
    await bob.getByRole('heading', { name: 'Autumn catalogue' }).waitFor()
  })

  test('keeps what is typed since what was refused', async () => {
    const { ada } = await site.ownBoard(['marla', 'mats'], [])
    const release = await refusalHeld(ada, 'boards.update')
    const name = ada.getByRole('textbox', { name: 'Board name' })
    await press(ada, 'Edit board name')
    await enter(name, 'First')
    await ada.getByRole('heading', { name: 'First' }).waitFor()
    await press(ada, 'Edit board name')
    await name.fill('Second')
    release()
    await toast(ada, 'Update Failed')
    expect(await name.inputValue()).toBe('Second')
  })

  test('is said to be edited by nobody who closed the page', async () => {
    const { ada, bob } = await site.sharedBoard(['minna', 'moritz'], [])
    await press(ada, 'Edit board description')
    await bob.getByText('Minna is editing the description…').waitFor()
    await ada.close()
    await bob.getByText('Minna is editing the description…').waitFor({ state: 'detached' })
  })
})

inChromium('a board', (site) => {
  test('has one layout at each width, those at which it changes too', async () => {
    const ada = await site.account('nell')
    const { id } = await (await ada.request.post('/api/boards', { data: { name: 'Narrow' } })).json()
    await ada.goto(`/board/${id}`)
    const both = (width: number) =>
      ada.evaluate((rem) => {
        const conditions = (rules: CSSRuleList): string[] =>
          [...rules].flatMap((rule) => [
            ...(rule instanceof CSSMediaRule ? [rule.conditionText] : []),
            ...(rule instanceof CSSGroupingRule ? conditions(rule.cssRules) : []),
          ])
        const all = new Set([...document.styleSheets].flatMap((sheet) => conditions(sheet.cssRules)))
        return [...all].filter((condition) => condition.includes(`${rem}rem`) && matchMedia(condition).matches)
      }, width / 16)
    for (const width of [640, 768, 1024]) {
      await ada.setViewportSize({ width, height: 800 })
      const wider = `(width >= ${width / 16}rem)`
      const matching = await both(width)
      expect(matching).toContain(wider)
      expect(matching.filter((condition) => !condition.startsWith(wider))).toEqual([])
    }
  })

  test('of many people shows everyone behind its faces, and finds them wherever they are listed', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['zoe', 'yan'], ['One', 'Two'], {
      bob: { colorScheme: 'dark' },
      seenBy: [],
    })
    const { db } = await openQuick()
    const names = ['Ann', 'Ben', 'Cas', 'Dan', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivo', 'Joan of Arc']
    const added = await db
      .insert(users)
      .values(names.map((name, nth) => ({ username: `crowd${nth}`, email: `crowd${nth}@example.com`, name })))
      .returning({ userId: users.id })
    await db.insert(boardMembers).values(added.map(({ userId }) => ({ userId, boardId })))
    await Promise.all([ada, bob].map((page) => page.goto(`/board/${boardId}`)))
    const find = (name: string) => ada.getByLabel('Search people').fill(name)

    await ada.getByRole('button', { name: '+7 show everyone' }).click()
    const people = ada.getByRole('list', { name: 'People' }).getByRole('listitem')
    await people.nth(11).waitFor()
    await find('arc')
    await ada.getByText('1 found').waitFor()
    expect(await people.allTextContents()).toEqual(['Joan of Arc'])
    await find('nobody')
    await ada.getByText('No one found.').waitFor()
    await findsNothing(ada, 'everyone on a board')
    await ada.keyboard.press('Escape')

    await ada.getByRole('button', { name: 'Invite Members' }).click()
    await find('joan')
    await ada.getByRole('button', { name: 'Remove Joan of Arc' }).waitFor()
    expect(await ada.getByRole('list', { name: 'Members' }).getByRole('listitem').count()).toBe(1)
    await findsNothing(ada, 'members, searched')
    await ada.keyboard.press('Escape')

    await card(ada, 'One').click()
    await press(ada, 'Manage')
    await find('joan')
    await ada.getByRole('list', { name: 'Members to assign' }).getByRole('button').click()
    await button(ada, 'Unassign Joan of Arc').waitFor()
    await ada.keyboard.press('Escape')

    await press(ada, 'Assignee: Anyone')
    await find('joan')
    await button(ada, 'Joan of Arc').click()
    await shows(ada, 'To Do', ['One'])
    await press(ada, 'Assignee: Joan of Arc')
    await findsNothing(ada, 'people to filter by')
    await press(ada, 'Anyone')
    await shows(ada, 'To Do', ['One', 'Two'])

    await bob.getByRole('button', { name: '+7 show everyone' }).click()
    await bob.getByLabel('Search people').waitFor()
    await findsNothing(bob, 'everyone on a board, dark')
  })

  test('shows all again when what its filter asks for is gone', async () => {
    const { ada, boardId } = await site.ownBoard(['nico', 'olga'], ['One', 'Two'])
    const tasks = await (await ada.request.get(`/api/boards/${boardId}/tasks`)).json()
    const change = (data: object) => ada.request.patch(`/api/tasks/${tasks[0].id}`, { data })
    await change({ tags: ['red'] })
    await ada.getByLabel('Tag').selectOption('red')
    await shows(ada, 'To Do', ['One'])
    await change({ tags: [] })
    await shows(ada, 'To Do', ['One', 'Two'])
    await ada.getByLabel('Assignee').selectOption('Olga')
    await ada.getByText('0 of 2 tasks').waitFor()
    const { members } = await (await ada.request.get(`/api/boards/${boardId}`)).json()
    const olga = members.find(({ username }: { username: string }) => username === 'olga')
    await ada.request.delete(`/api/boards/${boardId}/members/${olga.id}`)
    await shows(ada, 'To Do', ['One', 'Two'])
    expect(await ada.getByLabel('Assignee').inputValue()).toBe('')
  })

  test('opens by itself when the server is back, with all of a task that was opened meanwhile', async () => {
    // Bob's browser must not have stored the board.
    const { bob } = await site.sharedBoard(['pepe', 'quin'], ['One'], { seenBy: ['ada'] })
    const files = await scriptsWith('No comments yet', 'Drop some here', 'Loading Time Entries')
    // What is loaded in advance comes when the page has nothing to do, the parts of a task after the pages.
    const ready = async () => {
      await bob.getByRole('link', { name: 'Spring catalogue' }).first().waitFor()
      const parts = await bob.waitForFunction((files) => {
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
        const found = files.map((file) => loaded.find((name) => name.endsWith(`/${file}`)))
        return !found.includes(undefined) && found
      }, files)
      // With all that they import themselves.
      await parts.evaluate((names) => Promise.all((names || []).map((name) => import(String(name)))).then(() => {}))
    }
    await bob.goto('/')
    await ready()
    await bob.context().setOffline(true)
    await bob.getByRole('link', { name: 'Spring catalogue' }).first().click()
    await bob.getByText('This could not be loaded').waitFor()
    await bob.context().setOffline(false)
    await card(bob, 'One').waitFor()

    await bob.reload()
    await ready()
    await bob.context().setOffline(true)
    await card(bob, 'One').click()
    await bob.getByRole('dialog').getByText('Reconnecting…').waitFor()
    await bob.context().setOffline(false)
    await bob.getByRole('dialog').getByText('No comments yet').waitFor()
    expect(await bob.getByText('Reload the page').count()).toBe(0)
  })
})
