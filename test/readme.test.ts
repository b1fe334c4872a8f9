import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bundledProgram } from './setup/bundled-program.ts'
import { root } from './source-imports.ts'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const example = path.join(root, 'docs/examples/embed.ts')

it('the README shows the embedding example exactly as it is compiled and run', () => {
  const [, block] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  expect(block).toBe(readFileSync(example, 'utf8'))
})

it('the example in the README prints the flag that it created', async () => {
  const { file, nodeOptions } = bundledProgram('docs/examples/embed.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeOptions, file], { cwd: root })
  expect(stdout).toMatch(/^200 \{/)
  expect(stdout).toContain("key: 'checkout'")
})

it('the example in the README is JavaScript that Node runs without a compiler', async () => {
  const [, block = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const check = promisify(execFile)(process.execPath, ['--input-type=module', '--check', '-'])
  check.child.stdin?.end(block)
  await expect(check).resolves.toMatchObject({ stderr: '' })
})

it('the README names only commands that exist', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const commands = [...readme.matchAll(/\bnpm (run )?([a-z]+)/g)].map(([, , name]) => name as string)
  expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'halyard', 'bench']))
  for (const name of commands.filter((entry) => entry !== 'install')) expect(scripts).toHaveProperty(name)
})

it('the README links to pages that exist', () => {
  for (const [, target] of readme.matchAll(/\]\(([^)#]+)\)/g)) readFileSync(path.join(root, target as string))
})

it('the README states benchmark results within 25 % of the last measurement', () => {
  const results: readonly { suite: string; case: string; peer?: string; ratio?: number }[] = JSON.parse(
    readFileSync(path.join(root, 'bench/results.json'), 'utf8'),
  )
  const uncached = 'node:http without cached responses'
  const statedRows: readonly [row: string, suite: string, name: string, peer: string][] = [
    ['64 access decisions by 50 statements', 'policy', '64 decisions, resource ready', 'CASL, subject ready'],
    ['a JSON Patch of ten operations, checked', 'json-patch', '10 operations', 'fast-json-patch, validated'],
    ['GET of a segment: token, policy, storage, JSON', 'fetch', 'getSegment', 'bare Hono'],
    ['GET of a flag, response cached', 'unleash', 'get a flag, node:http', 'Unleash 8.2.0'],
    ['GET of a flag, response not cached', 'unleash', `get a flag, ${uncached}`, 'Unleash 8.2.0'],
    ['a list of 100 flags, response cached', 'unleash', 'list 100 flags, node:http', 'Unleash 8.2.0'],
    ['a list of 100 flags, response not cached', 'unleash', `list 100 flags, ${uncached}`, 'Unleash 8.2.0'],
    ['PATCH of a flag', 'unleash', 'patch a flag, node:http', 'Unleash 8.2.0'],
    ['a new flag', 'unleash', 'create a flag, node:http', 'Unleash 8.2.0'],
    ['a flag deleted, with everything below it', 'unleash', 'delete a flag, node:http', 'Unleash 8.2.0'],
    ['a start, to the first response', 'unleash', 'start to the first answer, node:http', 'Unleash 8.2.0'],
  ]
  const readmeRows = [...readme.matchAll(/^\| ([^|]+) \| [^|]+ \| ([\d.]+) \|$/gm)]
  expect(readmeRows.map(([, row]) => row)).toEqual(statedRows.map(([row]) => row))
  for (const [i, [, suite, name, peer]] of statedRows.entries()) {
    const measuredRatio =
      results.find((entry) => entry.suite === suite && entry.case === name && entry.peer === peer)?.ratio ?? 0
    expect(Number(readmeRows[i]?.[2]) / measuredRatio).toBeGreaterThan(0.8)
    expect(Number(readmeRows[i]?.[2]) / measuredRatio).toBeLessThan(1.25)
  }
})

it('docs/README.md links to every guide', () => {
  const index = readFileSync(path.join(root, 'docs/README.md'), 'utf8')
  const guides = readdirSync(path.join(root, 'docs/guide')).filter((name) => name.endsWith('.md'))
  expect(guides.filter((name) => !index.includes(`(guide/${name})`))).toEqual([])
})
