import { card, field, inColumn, isShown, named, type Tab, text } from './tab'

type Server = { origin: string; stop(): Promise<void>; start(): Promise<void> }

/** What everyone does with wrk, once, as a user of this name. Throws where something does not happen. */
export async function mainJob(
  tab: Tab,
  { origin, stop, start }: Server,
  username: string,
  file: string,
  step: (name: string) => void,
) {
  const shows = (place: string) => tab.until(isShown(place))
  const hides = (place: string) => tab.until(`!${isShown(place)}`)
  const submit = (name: string) => tab.click(`//form${named(name, ['button'])}`)

  step('register')
  await tab.goto(`${origin}/login?register`)
  await tab.until('document.querySelector("form button[type=submit]:enabled") !== null')
  await tab.type(field('Username'), username)
  await tab.type(field('Email'), `${username}@example.com`)
  await tab.type(field('Password'), 'a sentence for a password')
  await submit('Create account')

  step('board')
  await tab.click(named('New Board', ['button']))
  await tab.type(field('Board Name'), 'Spring')
  await submit('Create Board')
  await shows(inColumn('To Do', ''))

  await tab.evaluate(NOTE_FAILURES)

  step('tasks by keyboard')
  await tab.press('c')
  await tab.type(field('Task Title'), 'Paper')
  await tab.press('Enter')
  await shows(inColumn('To Do', card('Paper')))
  await tab.type(field('Task Title'), 'Ink')
  await tab.press('Enter')
  await shows(inColumn('To Do', card('Ink')))
  await tab.press('Escape')

  step('a card moved by keyboard')
  await tab.evaluate('document.querySelector("[data-task]").focus()')
  for (const key of [' ', 'ArrowRight', ' ']) await tab.press(key)
  await shows(inColumn('In Progress', '//*[@data-task]'))

  step('a task by mouse')
  await tab.click(card('Paper'))
  await shows('//*[@role="dialog"]')
  await tab.type(field('New comment'), 'Cream, 120 g')
  await tab.click(named('Send'))
  await shows(`//ul[@aria-label="Comments"]${text('Cream, 120 g').slice('//body'.length)}`)
  await tab.choose('//*[@role="dialog"]//input[@type="file"]', file)
  await shows('//*[@role="dialog"]//a[contains(@aria-label, "Download")]')

  step('timer')
  await tab.click(named('Start timer'))
  await tab.click(`//*[@role="dialog"]${named('Stop')}`)
  await shows(named('Start timer'))
  await tab.click(named('Close'))
  await hides('//*[@role="dialog"]')

  step('time logs')
  await tab.click(named('Time Logs'))
  const row = '//table//tr[contains(., "Paper")]'
  await shows(row)
  await tab.press('Escape')
  await hides(row)

  step('without a connection, and back')
  await stop()
  await tab.press('c')
  await tab.type(field('Task Title'), 'Glue')
  await tab.press('Enter')
  await shows(card('Glue'))
  await shows(text('will sync'))
  await start()
  await hides(text('will sync'))
  const titles = await tab.evaluate<string>(STORED_TITLES)
  if (titles !== 'Glue,Ink,Paper') throw new Error(`the server has the tasks ${titles}`)

  step('console')
  const failures = await tab.evaluate<string[]>('window.failures')
  if (failures.length > 0) throw new Error(failures.join('; '))
}

const TASKS = 'fetch("/api" + location.pathname.replace("board", "boards") + "/tasks").then((answer) => answer.json())'
const STORED_TITLES = `${TASKS}.then((tasks) => tasks.map(({ title }) => title).sort().join())`

/** Browsers note a size that is told in the next frame as an error, which is none. */
const NOTE_FAILURES = `(() => {
  window.failures = []
  window.addEventListener('error', ({ message }) => message.startsWith('ResizeObserver loop') || window.failures.push(message))
  window.addEventListener('unhandledrejection', ({ reason }) => window.failures.push(String(reason)))
})()`
