import { STATUSES, type Status } from '../../tasks/schema'

/** A small design studio in the middle of its weeks. Days count from today. */

export const DEMO_PASSWORD = 'studio-demo'

export const NAMES = ['maya', 'jonas', 'riya', 'alma', 'sam'] as const
export type DemoName = (typeof NAMES)[number]

export const PEOPLE: Record<DemoName, { name: string; isPro: boolean; description: string }> = {
  maya: { name: 'Maya Tremblay', isPro: true, description: 'Runs the studio. Sketches on paper first, always.' },
  jonas: { name: 'Jonas Okafor', isPro: false, description: 'Web developer. Fond of plain HTML and long walks.' },
  riya: { name: 'Riya Kapoor', isPro: false, description: 'Brand and type. Will notice your kerning.' },
  alma: { name: 'Alma Lindqvist', isPro: false, description: 'Photographer and retoucher.' },
  sam: { name: 'Sam Becker', isPro: false, description: 'Keeps the books, the calendar and the coffee going.' },
}

type Remark = readonly [who: DemoName, day: number, content: string]
export type Work = readonly [who: DemoName, day: number, minutes: number, note?: string]

export type DemoTask = {
  title: string
  status: Status
  created: number
  description?: string
  due?: number
  tags?: readonly string[]
  assignees?: readonly DemoName[]
  comments?: readonly Remark[]
  work?: readonly Work[]
}
export type DemoBoard = {
  /** Whose time is invoiced. */ client?: boolean
  name: string
  description: string
  creator: DemoName
  members: readonly DemoName[]
  tasks: readonly DemoTask[]
}

const catalogue: DemoTask[] = [
  {
    title: 'Proofread the German edition',
    status: 'todo',
    created: -6,
    due: 4,
    tags: ['copy', 'print'],
    assignees: ['sam'],
    description: 'Second pass only: the first one caught the umlauts. Watch the line breaks in the price tables.',
  },
  {
    title: 'Choose paper for the cover',
    status: 'todo',
    created: -5,
    due: 2,
    tags: ['print'],
    assignees: ['riya', 'maya'],
    description: 'Three samples are on the big table: 300 g uncoated, 350 g uncoated, 300 g with a soft-touch film.',
    comments: [
      ['riya', -3, 'The 350 cracks at the fold unless it is scored first. I would take the 300.'],
      ['maya', -2, 'Agreed, but let us see it next to the ribbon before we order.'],
    ],
  },
  {
    title: 'Index of product names',
    status: 'todo',
    created: -4,
    due: 9,
    tags: ['copy'],
    description: 'Two columns at the back, pages 92 to 95. Export the list from the shop, then sort by family name.',
  },
  { title: 'Order the ribbon bookmarks', status: 'todo', created: -3, due: 6, tags: ['print', 'supplier'], assignees: ['sam'] },
  { title: 'Thank-you card for the loaned furniture', status: 'todo', created: -2, tags: ['copy'] },
  {
    title: 'Retouch the linen series',
    status: 'inprogress',
    created: -15,
    due: 1,
    tags: ['photo'],
    assignees: ['alma'],
    description:
      'Twenty-two pictures. Keep the weave: no smoothing on the cloth, only dust and the seam on the left.\n\nFinal size 240 × 300 mm at 300 dpi.',
    comments: [
      ['alma', -4, 'Fourteen done. Number 9 needs another scan, the corner is soft.'],
      ['riya', -3, 'Number 9 is only used at half a page, so it may be fine as it is.'],
      ['alma', -1, 'Then I’ll leave it. Six to go.'],
    ],
    work: [
      ['alma', -9, 190, 'Pictures 1 to 5'],
      ['alma', -7, 225, 'Pictures 6 to 10'],
      ['alma', -4, 160, 'Pictures 11 to 14'],
      ['alma', -1, 95, 'Second look at the whites'],
    ],
  },
  {
    title: 'Lay out pages 40 to 61',
    status: 'inprogress',
    created: -12,
    due: 0,
    tags: ['layout', 'print'],
    assignees: ['riya', 'maya'],
    description: 'The kitchen chapter. Grid of twelve, captions hang in the outer margin.',
    comments: [['maya', -2, 'Spreads 44 and 52 feel crowded. Could the recipe go to 54?']],
    work: [
      ['riya', -8, 240],
      ['riya', -6, 210, 'Captions'],
      ['maya', -5, 75, 'Read through with Riya'],
      ['riya', -2, 180, 'Moved the recipe'],
    ],
  },
  {
    title: 'Price list for the shops',
    status: 'inprogress',
    created: -8,
    due: -1,
    tags: ['copy', 'client'],
    assignees: ['sam'],
    description: 'Waiting for the new shipping rates. Everything else is in.',
    work: [['sam', -3, 120, 'All but shipping']],
  },
  {
    title: 'Colour proofs from the printer',
    status: 'inprogress',
    created: -7,
    due: 3,
    tags: ['print', 'supplier'],
    assignees: ['maya'],
    work: [['maya', -1, 50, 'Call with the printer']],
  },
  {
    title: 'Photograph the ceramics',
    status: 'done',
    created: -32,
    due: -14,
    tags: ['photo'],
    assignees: ['alma', 'riya'],
    description: 'North light only. Grey paper, no props but the oak board.',
    comments: [['riya', -15, 'These are the best ones yet.']],
    work: [
      ['alma', -18, 320, 'Day one'],
      ['alma', -17, 345, 'Day two'],
      ['riya', -17, 120, 'Styling'],
    ],
  },
  {
    title: 'Settle the page count',
    status: 'done',
    created: -35,
    due: -25,
    tags: ['layout'],
    assignees: ['maya'],
    work: [['maya', -26, 60]],
  },
  {
    title: 'Type specimen: Geist against Söhne',
    status: 'done',
    created: -30,
    due: -20,
    tags: ['layout', 'type'],
    assignees: ['riya'],
    comments: [['maya', -21, 'Geist. The numerals decide it.']],
    work: [['riya', -22, 150, 'Set the same four spreads twice']],
  },
  { title: 'Contract with the printer', status: 'done', created: -34, due: -28, tags: ['supplier'], assignees: ['sam'] },
]

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
