import { expect, test } from 'bun:test'
import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core'
import { describeCalls } from '../../src/site/openapi'

/** What the linter says and we leave, each with the reason. */
const LEFT = ['restore', 'unstop', 'confirm'].map((what) => ({
  // GET by task and POST of an entry never meet, but the rule looks at paths without their methods, and these are promised.
  ruleId: 'no-ambiguous-paths',
  pointer: `#/paths/~1api~1time-entries~1{entryId}~1${what}`,
}))

test('the description passes the recommended rules of Redocly', async () => {
  const text = JSON.stringify(await describeCalls(true))
  const problems = await lintDocument({
    document: { source: new Source('openapi.json', text), parsed: JSON.parse(text) },
    config: await createConfig({ extends: ['recommended'] }),
    externalRefResolver: new BaseResolver(),
  })
  expect(problems.map(({ ruleId, location }) => ({ ruleId, pointer: location[0]?.pointer ?? '' }))).toEqual(LEFT)
})
