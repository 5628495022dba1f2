import { describe, expect, test } from 'bun:test'
import { basename, dirname, join } from 'node:path'
import { Glob } from 'bun'

const SRC = join(import.meta.dir, '../../src')
const sources = await Promise.all(
  [...new Glob('**/*.{ts,tsx}').scanSync(SRC)].toSorted().map(async (file) => ({
    file,
    name: basename(file),
    text: await Bun.file(join(SRC, file)).text(),
  })),
)

const domains = new Set(
  sources.flatMap(({ file }) => /^(?!server|web|db|site|app)(\w+)\/(?:server|page)\//.exec(file)?.[1] ?? []),
)
const ORDER = ['users', 'auth', 'boards', 'tasks']
const rank = (domain: string) => (ORDER.includes(domain) ? ORDER.indexOf(domain) : ORDER.length)

/** Each import of a folder, as `file` in the folder `from`, and the folder imported. */
const imports = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)].map(([, path = '', lazy = path]) => ({
    file,
    from: file.split('/')[0] ?? '',
    of: join(dirname(file), path || lazy).split('/')[0] ?? '',
  })),
)

describe('what no linter can say', () => {
  test('server/, web/ and db/ know no domain', () => {
    const kernel = imports.filter(({ file }) => /^(server|web|db)\//.test(file))
    expect(kernel.filter(({ of }) => domains.has(of)).map(({ file, of }) => `${file} -> ${of}`)).toEqual([])
  })

  test('schemas, lookups, grants and stores import no domain above their own: users, auth, boards, tasks, all others', () => {
    const low = /^\w+\/(\w+\.ts|server\/(.+\/)?(\w+\.)?(lookup|grants|store)\.ts)$/
    const upward = imports.filter(
      ({ file, from, of }) => domains.has(from) && domains.has(of) && low.test(file) && rank(of) > rank(from),
    )
    // The events of a board name fields of its tasks.
    expect(upward.map(({ file, of }) => `${file} -> ${of}`)).toEqual(['boards/activity.ts -> tasks'])
  })

  test('what a page shows of domains above its own, app/ puts there, with few exceptions', () => {
    const upward = imports.filter(({ file, from, of }) => /^\w+\/page\//.test(file) && domains.has(of) && rank(of) > rank(from))
    expect(upward.map(({ file, of }) => `${file} -> ${of}`)).toEqual([
      'boards/page/NewBoard.tsx -> billing',
      // What is read of a board holds its tasks.
      'boards/page/cache.ts -> tasks',
      'boards/page/reducers.ts -> tasks',
      // A card shows the timers on its task.
      'tasks/page/CardContents.tsx -> time',
      'tasks/page/TaskCard.tsx -> time',
      'tasks/page/TaskMenuItems.tsx -> time',
      // Files may be dropped on it.
      'tasks/page/cardDrag.ts -> attachments',
    ])
  })

  test('icons are imported one by one: their list would put all of them into what loads first', () => {
    const whole = sources.filter(({ text }) => /^import (?!type\b)[^';]*'lucide-react'/m.test(text))
    expect(whole.map(({ file }) => file)).toEqual([])
  })

  test('only grants.ts files make grants', () => {
    const makers = sources.filter(({ text }) => /\bas (unknown as )?\w*(Grant\b|Granted<)/.test(text))
    expect(makers.filter(({ name }) => !/(^|\.)grants\.ts$/.test(name)).map(({ file }) => file)).toEqual([])
  })

  test('only a session makes somebody signed in', () => {
    const makers = sources.filter(({ text }) => /\bas (unknown as )?SignedIn(Session)?\b/.test(text))
    expect(makers.map(({ file }) => file)).toEqual(['server/signedIn.ts'])
    const onBehalf = sources.filter(({ text }) => /\bonBehalfOf\(/.test(text))
    expect(onBehalf.map(({ file }) => file)).toEqual([
      'imports/server/grants.ts',
      'imports/server/names/grants.ts',
      'operator/server/changes.ts',
    ])
  })

  test('the server says nothing but by its log', () => {
    const speaks = /^(?!log\.ts|main\.ts|markdown\.ts|site\/cli\/|site\/demonstration\/)(?!app\/|web\/|.*\/?page\/)/
    const speakers = sources.filter(({ file, text }) => speaks.test(file) && /\bconsole\.\w+\(|process\.std(out|err)/.test(text))
    expect(speakers.map(({ file }) => file)).toEqual([])
  })

  test('no text becomes code, a pattern or a command', () => {
    const makers = /\beval\(|new (Async)?Function\(|new RegExp\(|child_process|Bun\.(spawn|\$)|\{[^}]*[$][^}]*\} from 'bun'/
    // They ask git what is tracked, and build the page, in words that nobody gives.
    expect(sources.filter(({ text }) => makers.test(text)).map(({ file }) => file)).toEqual([
      'site/buildIfStale.ts',
      'site/sourceDownload.ts',
    ])
  })

  test('Drizzle is known only to lookups, grants, stores, the database and its demonstration', () => {
    const may = /(^|\.)(lookup|grants|store)\.ts$/
    const strangers = sources.filter(
      ({ file, name, text }) =>
        !/^(db|site\/demonstration)\//.test(file) && !may.test(name) && /^import (?!type\b)[^'"]*['"]drizzle-orm/m.test(text),
    )
    expect(strangers.map(({ file }) => file)).toEqual([])
  })

  // One such rule has all inside of whatever the pointer passes styled anew: `pointed` is for that.
  test('nothing waits for a group that the pointer is on', () => {
    expect(sources.filter(({ text }) => /group-hover/.test(text)).map(({ file }) => file)).toEqual([])
  })

  // The browser searches the whole page for such a descendant whenever an element comes or goes.
  test('nothing waits for what the body has at any depth', async () => {
    const sheets = [...new Glob('web/*.css').scanSync(SRC)]
    const selectors = await Promise.all(sheets.map((file) => Bun.file(join(SRC, file)).text()))
    const inBody = selectors.join().match(/\b(?:html|body)\b[^\s,{]*:has\([^)]*\)/g) ?? []
    const waitedFor = inBody.flatMap((selector) => selector.slice(selector.indexOf(':has(') + 5, -1).split(','))
    expect(waitedFor.length).toBeGreaterThan(0)
    expect(waitedFor.filter((selector) => !/^\s*(?:>\s*[^\s>]+\s*)+$/.test(selector))).toEqual([])
  })

  test('the server needs no package that only development installs', async () => {
    const { dependencies } = await Bun.file(join(SRC, '../package.json')).json()
    const [ts, tsx] = [new Bun.Transpiler({ loader: 'ts' }), new Bun.Transpiler({ loader: 'tsx' })]
    const missing = new Set<string>()
    const seen = new Set<string>()
    const visit = async (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      for (const { path, kind } of (file.endsWith('x') ? tsx : ts).scanImports(
        (await Bun.file(file).text()).replace(/^#!.*/, ''),
      )) {
        // The bundler and the page in development load only there.
        if (kind === 'dynamic-import' && /\/developmentPage$/.test(path)) continue
        if (path.endsWith('.json') || path.endsWith('.html')) continue
        if (path.startsWith('.')) await visit(Bun.resolveSync(path, dirname(file)))
        else if (!isBuiltIn(path) && !(packageOf(path) in dependencies)) missing.add(`${file.slice(SRC.length + 1)}: ${path}`)
      }
    }
    await visit(join(SRC, 'main.ts'))
    await visit(join(SRC, 'site/cli/main.ts'))
    expect([...missing]).toEqual([])
    expect(seen.size).toBeGreaterThan(200)
  })

  test('pages name tokens, never a size of type, a radius or a colour of their own; controls have the heights of tokens', () => {
    const raw = sources
      .filter(({ file }) => file.endsWith('.tsx') && !HEROES.includes(file))
      .flatMap(({ file, text }) => [
        ...(text.match(RAW_LOOKS) ?? []).map((look) => `${file}: ${look}`),
        ...(text.match(CONTROLS) ?? []).flatMap((control) =>
          (control.match(RAW_HEIGHTS) ?? []).map((height) => `${file}: ${height}`),
        ),
      ])
    expect(raw).toEqual([])
  })
})

const isBuiltIn = (path: string) => /^(node|bun)(:|$)/.test(path)
const packageOf = (path: string) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path

/** Their large type is as wide as its place, and a theme's colour stands outside of the stylesheet. */
const HEROES = ['site/Document.tsx', 'site/public/Landing.tsx', 'auth/page/LoginPage.tsx']
const RAW_LOOKS =
  /(?<![\w-])(?:text|rounded|shadow|tracking|leading|border|ring|duration|bg|fill|stroke)(?:-[a-z]+)?-\[[^\]]*\]|#[0-9a-f]{3,8}\b(?=['"\s\]])|\b(?:rgb|hsl|oklch)\(/gi
const CONTROLS = /<(?:button|input|select|textarea|Button|Input|Select)\b(?:=>|[^>])*>/g
/** Of 28 px and more: smaller ones are boxes to tick, and icons within a line. */
const RAW_HEIGHTS = /(?<![\w-])(?:min-)?(?:h|size)-(?:\[[^\]]*\]|(?:[7-9]|1[0-4])(?:\.5)?)(?![\w-])/g
