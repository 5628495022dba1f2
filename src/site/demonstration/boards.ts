import { STATUSES } from '../../tasks/schema'
import { catalogue } from './catalogue'
import { type DemoBoard, type DemoTask, NAMES } from './studio'

const northwind: DemoTask[] = [
  {
    title: 'Accessibility pass on the checkout',
    status: 'todo',
    created: -5,
    due: 7,
    tags: ['web', 'a11y'],
    assignees: ['jonas'],
    description: 'Keyboard through the whole flow, then with a screen reader. The date field is the likely trouble.',
  },
  { title: 'Write the handover notes', status: 'todo', created: -4, due: 12, tags: ['docs'], assignees: ['jonas', 'sam'] },
  {
    title: 'Second round of icons',
    status: 'todo',
    created: -3,
    due: 5,
    tags: ['brand'],
    assignees: ['riya'],
    description: 'Northwind asked for rounder corners on the crate, the lorry and the calendar. The rest is approved.',
    comments: [['sam', -3, 'Quoted as four hours; tell me early if it grows.']],
  },
  {
    title: 'Search that forgives typos',
    status: 'inprogress',
    created: -11,
    due: 2,
    tags: ['web', 'search'],
    assignees: ['jonas'],
    description: 'Trigram index on product names. Results within 50 ms on their catalogue of 40,000 lines.',
    comments: [
      ['jonas', -4, 'Works for one wrong letter. Two in a short word still miss.'],
      ['maya', -4, 'Good enough for the demo on Thursday.'],
    ],
    work: [
      ['jonas', -10, 200, 'Index and query'],
      ['jonas', -6, 260, 'Ranking'],
      ['jonas', -4, 140],
      ['jonas', -1, 180, 'Short words'],
    ],
  },
  {
    title: 'Landing page for the autumn fair',
    status: 'inprogress',
    created: -9,
    due: 0,
    tags: ['web', 'brand', 'client', 'urgent'],
    assignees: ['riya', 'jonas'],
    comments: [['riya', -1, 'The hero picture is in. Jonas, the big one is 2,400 wide.']],
    work: [
      ['riya', -5, 165, 'Three directions'],
      ['jonas', -2, 205, 'Built the chosen one'],
    ],
  },
  {
    title: 'Map of their warehouses',
    status: 'inprogress',
    created: -8,
    due: -2,
    tags: ['web'],
    assignees: ['jonas'],
    description: 'Blocked: two of the addresses they sent do not exist.',
    work: [['jonas', -7, 90]],
  },
  {
    title: 'Colour system with contrast checked',
    status: 'done',
    created: -28,
    due: -15,
    tags: ['brand', 'a11y'],
    assignees: ['riya'],
    work: [
      ['riya', -20, 220],
      ['riya', -16, 80, 'Dark variants'],
    ],
  },
  {
    title: 'Move their shop off the old host',
    status: 'done',
    created: -27,
    due: -12,
    tags: ['web', 'ops'],
    assignees: ['jonas'],
    comments: [['jonas', -12, 'Done at 5 in the morning, 40 seconds of downtime.']],
    work: [
      ['jonas', -14, 300, 'Rehearsal'],
      ['jonas', -12, 240, 'The move itself'],
    ],
  },
  {
    title: 'Kick-off workshop',
    status: 'done',
    created: -33,
    due: -29,
    tags: ['client'],
    assignees: ['maya', 'jonas', 'riya'],
    work: [
      ['maya', -29, 180],
      ['jonas', -29, 180],
      ['riya', -29, 180],
    ],
  },
]

const admin: DemoTask[] = [
  { title: 'Renew the studio insurance', status: 'todo', created: -10, due: 10, tags: ['office'], assignees: ['sam'] },
  {
    title: 'Plan the summer party',
    status: 'todo',
    created: -4,
    due: 21,
    tags: ['people'],
    description: 'Somewhere with a garden. Alma doesn’t eat fish, Jonas eats everything.',
    comments: [['alma', -2, 'I can eat the bread. All of it.']],
  },
  { title: 'New chairs for the back room', status: 'todo', created: -2, tags: ['office'] },
  {
    title: 'Invoices for last month',
    status: 'inprogress',
    created: -6,
    due: 1,
    tags: ['money'],
    assignees: ['sam'],
    description: 'Northwind wants theirs split by project.',
    work: [['sam', -2, 110, 'All but Northwind']],
  },
  {
    title: 'Talk to the two applicants',
    status: 'inprogress',
    created: -7,
    due: 3,
    tags: ['people'],
    assignees: ['maya'],
    work: [['maya', -3, 60, 'First conversation']],
  },
  {
    title: 'Back up the picture archive',
    status: 'done',
    created: -16,
    due: -8,
    tags: ['office', 'photo'],
    assignees: ['alma'],
    work: [['alma', -9, 45]],
  },
  { title: 'Quarterly figures to the accountant', status: 'done', created: -25, due: -18, tags: ['money'], assignees: ['sam'] },
]

export const BOARDS: DemoBoard[] = [
  {
    name: 'Spring catalogue',
    description: '96 pages, to the printer at the end of the month.',
    client: true,
    creator: 'maya',
    members: ['maya', 'riya', 'alma', 'sam'],
    tasks: catalogue,
  },
  {
    name: 'Client: Northwind',
    description: 'New shop, new icons, the same friendly lorry.',
    client: true,
    creator: 'maya',
    members: ['maya', 'jonas', 'riya', 'sam'],
    tasks: northwind,
  },
  {
    name: 'Studio admin',
    description: 'What keeps the lights on.',
    creator: 'maya',
    members: ['maya', 'jonas', 'riya', 'alma', 'sam'],
    tasks: admin,
  },
]

const WORK = ['Sketch', 'Review', 'Photograph', 'Typeset', 'Translate', 'Measure', 'Archive', 'Repair', 'Draft', 'Check'] as const
const THINGS = [
  'the poster',
  'the window display',
  'page 12',
  'the price tags',
  'the newsletter',
  'the logo',
  'the stand',
] as const
const TAGS = ['print', 'web', 'photo', 'copy', 'client', 'brand', 'office'] as const

const turn = <T>(from: readonly [T, ...T[]], n: number): T => from[n % from.length] ?? from[0]

export const largeBoard = (count: number): DemoBoard => ({
  name: `Everything, ${count} tasks`,
  description: 'Made to be large.',
  creator: 'maya',
  members: ['maya', 'jonas', 'riya', 'alma', 'sam'],
  tasks: Array.from({ length: count }, (_, n) => ({
    title: `${turn(WORK, n)} ${turn(THINGS, n)} (${n + 1})`,
    status: turn(STATUSES, n),
    created: -(n % 40) - 1,
    due: (n % 30) - 10,
    description: `Number ${n + 1} of ${count}. Ask ${turn(WORK, n + 3).toLowerCase()} first, then go through ${turn(THINGS, n + 2)} once more and note what is missing, who has it, and by when it is needed.`,
    tags: [turn(TAGS, n), turn(TAGS, n + 1 + (n % 5))],
    assignees: [turn(NAMES, n)],
  })),
})
