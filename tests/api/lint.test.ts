import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { z } from 'zod'
import { describeCalls } from '../../src/site/openapi'
import { dataFolder } from '../support/process'

const CLI = Bun.fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))

/** What the linter says and we leave, each with the reason. */
const LEFT = ['restore', 'unstop', 'confirm'].map((what) => ({
  // GET by task and POST of an entry never meet, but the rule looks at paths without their methods, and these are promised.
  ruleId: 'no-ambiguous-paths',
  pointer: `#/paths/~1api~1time-entries~1{entryId}~1${what}`,
}))

const report = z.object({
  problems: z.array(z.object({ ruleId: z.string(), location: z.array(z.object({ pointer: z.string() })) })),
})

test('the description passes the recommended rules of Redocly', async () => {
  const folder = await dataFolder()
  try {
    await Bun.write(join(folder.path, 'openapi.json'), JSON.stringify(await describeCalls()))
    const linter = Bun.spawn([process.execPath, CLI, 'lint', 'openapi.json', '--extends=recommended', '--format=json'], {
      cwd: folder.path,
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        // Without these it asks for its newest version, and tells how it is used.
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        // It takes half a second, half as long as with compiling. Compiled, its parser once misread the document.
        BUN_JSC_useDFGJIT: '0',
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [said, complaints] = await Promise.all([new Response(linter.stdout).text(), new Response(linter.stderr).text()])
    expect(complaints).toContain('validated')
    const { problems } = report.parse(JSON.parse(said))
    expect(problems.map(({ ruleId, location }) => ({ ruleId, pointer: location[0]?.pointer ?? '' }))).toEqual(LEFT)
  } finally {
    await folder.remove()
  }
}, 60_000)
