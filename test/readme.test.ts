import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './source-imports.ts'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const example = path.join(root, 'docs/examples/embed.ts')

it('shows the embedding example as it is compiled and run', () => {
  const [, shown] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  expect(shown).toBe(readFileSync(example, 'utf8'))
})

it('shows an example that works', async () => {
  const args = ['--conditions=@halyard/source', '--import', 'tsx', example]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(stdout).toMatch(/^200 \{/)
  expect(stdout).toContain("key: 'checkout'")
})

it('names commands that exist', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const named = [...readme.matchAll(/npm (run )?([a-z]+)/g)].map(([, , name]) => name as string)
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'halyard', 'bench']))
  for (const name of named.filter((one) => one !== 'install')) expect(scripts).toHaveProperty(name)
})

it('links to pages that exist', () => {
  for (const [, target] of readme.matchAll(/\]\(([^)#]+)\)/g)) readFileSync(path.join(root, target as string))
})
