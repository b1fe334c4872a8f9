import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from './source-imports.ts'

const examples = path.join(root, 'docs/examples/policies')
const guide = readFileSync(path.join(root, 'docs/guide/testing-policies.md'), 'utf8')
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text as string)

/** What examples have to show: each file as a whole, and each region of it. */
const shown = readdirSync(examples).flatMap((name) => {
  const text = readFileSync(path.join(examples, name), 'utf8')
  return [text, ...regionsOf(text)]
})

function regionsOf(text: string): string[] {
  return [...text.matchAll(/^\/\/ #region [^\n]*\n(.*?)^\/\/ #endregion$/gms)].map(([, region]) => region as string)
}

interface Ended {
  readonly passed: boolean
  readonly output: string
}

/** Runs Node on the sources, as a user would on the packages. Output comes without colours. */
async function node(...args: string[]): Promise<Ended> {
  // A test runner inside of one would report to it.
  const { NODE_TEST_CONTEXT, NODE_OPTIONS, VITEST, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1', FORCE_COLOR: '0' }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return { passed: true, output: stdout }
  } catch (error) {
    return { passed: false, output: (error as { stdout?: string }).stdout ?? String(error) }
  }
}

const unbuilt = ['--conditions=@halyard/source', '--import', 'tsx']
const nodeTest = (file: string) => node(...unbuilt, '--test', '--test-reporter=tap', path.join(examples, file))

describe('the guide to testing policies', () => {
  it('shows nothing but examples that are compiled and run', () => {
    expect(blocksOf('ts').length).toBeGreaterThan(10)
    expect(blocksOf('ts').filter((block) => !shown.includes(block))).toEqual([])
  })

  it('shows how the first test fails, as it does', async () => {
    const { passed, output } = await nodeTest('first.test.ts')
    expect(passed).toBe(false)
    const [failure = ''] = blocksOf('text')
    expect(failure).toContain('should not allow `updateOn`')
    for (const line of failure.trim().split('\n')) expect(output).toContain(line.trim())
    expect(output).toContain('first.test.ts:8:')
  })

  it.each(['roles.test.ts', 'engine.test.ts', 'whole-policy.test.ts'])('shows tests that pass: %s', async (file) => {
    const { passed, output } = await nodeTest(file)
    expect(output).toMatch(/^# pass [1-9]/m)
    expect(output).toMatch(/^# fail 0$/m)
    expect(passed).toBe(true)
  })

  it('shows the explanation that is printed', async () => {
    const { output } = await node(...unbuilt, path.join(examples, 'explain.ts'))
    expect(output).toBe(blocksOf('text')[1])
  })

  it('shows matchers that work in vitest', async () => {
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
    const { passed, output } = await node(vitest, 'run', '--config', path.join(examples, 'vitest.config.ts'))
    expect(output).toMatch(/Tests +1 passed/)
    expect(passed).toBe(true)
  })

  it('gets by with under 20 lines to the first failure', () => {
    const lines = readFileSync(path.join(examples, 'first.test.ts'), 'utf8').trim().split('\n')
    expect(lines.length).toBeLessThan(20)
  })

  it('runs every test file that there is', () => {
    const files = readdirSync(examples).filter((name) => name.endsWith('.test.ts'))
    expect(files.sort()).toEqual([
      'engine.test.ts',
      'first.test.ts',
      'matchers.test.ts',
      'roles.test.ts',
      'whole-policy.test.ts',
    ])
  })
})

describe('the guide to webhooks', () => {
  const folder = path.join(root, 'docs/examples/webhooks')
  const text = readFileSync(path.join(root, 'docs/guide/webhooks.md'), 'utf8')

  it('shows nothing but examples that are compiled and run', () => {
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block as string)
    const regions = readdirSync(folder).flatMap((name) => regionsOf(readFileSync(path.join(folder, name), 'utf8')))
    expect(blocks).toHaveLength(3)
    expect(blocks.filter((block) => !regions.includes(block))).toEqual([])
  })

  it('tells a receiver of a change, and again when asked to', async () => {
    const { output } = await node(...unbuilt, path.join(folder, 'deliver.ts'))
    expect(output.trim().split('\n')).toEqual([
      'signed: created the project Web shop',
      '{ delivered: 1, failed: 0, more: false }',
      'signed: created the project Web shop',
      '1 sent again',
    ])
  })

  it('delivers when a cron trigger fires', async () => {
    const { output } = await node(...unbuilt, path.join(folder, 'cron-trigger.ts'))
    expect(output.trim()).toBe('[ { delivered: 0, failed: 0, more: false } ]')
  })
})
