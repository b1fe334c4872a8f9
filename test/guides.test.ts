import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { flagDeclarations } from '../packages/cli/src/declare-flags/flag-declarations.ts'
import { printedLines } from './printed-lines.ts'
import { sourceProgram } from './processes/program.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { root } from './source-imports.ts'

/**
 * Reads a guide: its code blocks of each language, and the texts of its examples, which are every file and every region
 * of a file.
 */
function guideOf(name: string, folder: string) {
  const examples = path.join(root, 'docs/examples', folder)
  const guide = readFileSync(path.join(root, 'docs/guide', `${name}.md`), 'utf8')
  const examplesText = readdirSync(examples).flatMap((file) => {
    const text = readFileSync(path.join(examples, file), 'utf8')
    const regions = [...text.matchAll(/^\/\/ #region [^\n]*\n(.*?)^\/\/ #endregion$/gms)].map(
      ([, region]) => region as string,
    )
    return [text, ...regions]
  })
  const blocksOf = (language: string) =>
    [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text as string)
  /** Runs an example in this process, and returns what it prints. */
  const outputOf = async (file: string) => {
    const lines = await printedLines(() => import(path.join(examples, file)))
    return lines.map((line) => `${line}\n`).join('')
  }
  /** Runs an example in a process of its own. */
  const runProcess = (file: string, ...options: readonly string[]) => {
    const program = bundledProgram(`docs/examples/${folder}/${file}`)
    return node(...program.nodeOptions, ...options, program.file)
  }
  return { examples, shown: examplesText, blocksOf, outputOf, runProcess }
}

const { examples, shown: examplesText, blocksOf, outputOf, runProcess } = guideOf('testing-policies', 'policies')

interface ProcessResult {
  readonly passed: boolean
  readonly output: string
}

/** Runs Node at the top of the repository. The output has no color codes. */
async function node(...args: string[]): Promise<ProcessResult> {
  // A test runner inside a test runner would report to the outer one.
  const { NODE_TEST_CONTEXT, NODE_OPTIONS, VITEST, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1', FORCE_COLOR: '0' }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return { passed: true, output: stdout }
  } catch (error) {
    return { passed: false, output: (error as { stdout?: string }).stdout ?? String(error) }
  }
}

const nodeTest = ['--test', '--test-reporter=tap']

describe('the guide to testing policies', () => {
  it('shows only examples that are compiled and run', () => {
    expect(blocksOf('ts').length).toBeGreaterThan(10)
    expect(blocksOf('ts').filter((block) => !examplesText.includes(block))).toEqual([])
  })

  it('shows the actual failure of the first test', async () => {
    // Runs the test as the guide describes: the output names a line of the file.
    const { file, nodeOptions } = sourceProgram('docs/examples/policies/first.test.ts')
    const { passed, output } = await node(...nodeOptions, ...nodeTest, file)
    expect(passed).toBe(false)
    const [failure = ''] = blocksOf('text')
    expect(failure).toContain('should not allow `updateOn`')
    for (const line of failure.trim().split('\n')) expect(output).toContain(line.trim())
    expect(output).toContain('first.test.ts:8:')
  })

  it.each(['roles.test.ts', 'engine.test.ts', 'whole-policy.test.ts'])('shows tests that pass: %s', async (file) => {
    const { passed, output } = await runProcess(file, ...nodeTest)
    expect(output).toMatch(/^# pass [1-9]/m)
    expect(output).toMatch(/^# fail 0$/m)
    expect(passed).toBe(true)
  })

  it('shows the explanation that the example prints', async () => {
    const output = await outputOf('explain.ts')
    expect(output).toBe(blocksOf('text')[1])
  })

  it('shows matchers that work in vitest', async () => {
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
    const { passed, output } = await node(vitest, 'run', '--config', path.join(examples, 'vitest.config.ts'))
    expect(output).toMatch(/Tests +1 passed/)
    expect(passed).toBe(true)
  })

  it('reaches the first failure in fewer than 20 lines', () => {
    const lines = readFileSync(path.join(examples, 'first.test.ts'), 'utf8').trim().split('\n')
    expect(lines.length).toBeLessThan(20)
  })

  it('the list of test files is complete', () => {
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

describe('the guide to back-ups', () => {
  const backUp = guideOf('back-up', 'back-up')

  it('shows only examples that are compiled and run', () => {
    expect(backUp.blocksOf('ts')).toHaveLength(4)
    expect(backUp.blocksOf('ts').filter((block) => !backUp.shown.includes(block))).toEqual([])
  })

  it('shows the output of copying an account', async () => {
    const output = await backUp.outputOf('copy-account.ts')
    expect(output).toBe(backUp.blocksOf('text')[0])
  })

  it('shows files and responses that work', async () => {
    const output = await backUp.outputOf('file.ts')
    expect(output).toBe('1\n{"format":"halyard","version":1,"secrets":false}\n')
  })
})

describe('the guide to webhooks', () => {
  const webhooks = guideOf('webhooks', 'deliveries')

  it('shows only examples that are compiled and run', () => {
    expect(webhooks.blocksOf('ts')).toHaveLength(4)
    expect(webhooks.blocksOf('ts').filter((block) => !webhooks.shown.includes(block))).toEqual([])
  })

  it('the example notifies a receiver of a change, and again when a redelivery is requested', async () => {
    const output = await webhooks.outputOf('deliver.ts')
    const lines = output.trim().split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'signed: created the project Web shop',
      '{ delivered: 1, failed: 0, more: false }',
      'signed: created the project Web shop',
      '1 sent again',
    ])
    expect(lines.slice(-2)).toEqual(['signed: turned on Checkout in Production', 'for owner@localhost'])
  })

  it('the example delivers when a cron trigger fires', async () => {
    const output = await webhooks.outputOf('cron-trigger.ts')
    expect(output.trim()).toBe('[ { delivered: 0, failed: 0, more: false } ]')
  })
})

describe('the guide to data export', () => {
  const dataExport = guideOf('data-export', 'data-export')

  it('shows only examples that are compiled and run', () => {
    expect(dataExport.blocksOf('ts')).toHaveLength(3)
    expect(dataExport.blocksOf('ts').filter((block) => !dataExport.shown.includes(block))).toEqual([])
  })

  it('the example sends a change and an event to a server', async () => {
    const output = await dataExport.outputOf('export.ts')
    expect(output.trim().split(/ *\n/)).toEqual(['change', 'custom purchase', 'success 2'])
  })
})

describe('the guide to the client', () => {
  const client = guideOf('client', 'client')

  it('shows only examples that are compiled and run', () => {
    expect(client.blocksOf('ts')).toHaveLength(5)
    expect(client.blocksOf('ts').filter((block) => !client.shown.includes(block))).toEqual([])
  })

  it('the calls of the example succeed', async () => {
    const output = await client.outputOf('calls.ts')
    expect(output.trim().split('\n')).toEqual([
      "[ 'New checkout' ]",
      'Web shop = Web shop',
      '404 not_found no validation errors',
      'web',
      'key',
      'user-0',
      'user-1',
      'user-2',
    ])
  })
})

describe('the guide to insights', () => {
  const insights = guideOf('insights', 'insights')

  it('shows only examples that are compiled and run', () => {
    expect(insights.blocksOf('ts')).toHaveLength(4)
    expect(insights.blocksOf('ts').filter((block) => !insights.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const output = await insights.outputOf('ingest.ts')
    expect(output).toBe(insights.blocksOf('text').join(''))
  })
})

describe('the guide to experiment results', () => {
  const results = guideOf('experiment-results', 'experiment-results')

  it('shows only examples that are compiled and run', () => {
    expect(results.blocksOf('ts')).toHaveLength(7)
    expect(results.blocksOf('ts').filter((block) => !results.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    expect(await results.outputOf('results.ts')).toBe(results.blocksOf('text').join(''))
  })
})

describe('the guide to evaluation', () => {
  const evaluation = guideOf('evaluation', 'evaluation')
  const run = evaluation.outputOf

  it('shows only examples that are compiled and run', () => {
    expect(evaluation.blocksOf('ts')).toHaveLength(12)
    expect(evaluation.blocksOf('ts').filter((block) => !evaluation.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const [first, explanation] = evaluation.blocksOf('text') as [string, string]
    // The id of the rule differs in each run.
    const output = (await run('evaluate.ts')).replace(/(rule 0 )\([^)]*\)/, '$1(…)')
    expect(output).toBe(`${first}true\nFALLTHROUGH\ncheckout true 0\n${explanation}`)
    expect(await run('ruleset.ts')).toBe('light dark\n')
    expect(await run('typed.ts')).toBe('3 light\n')
    // At first the flag has not been requested. Then it was requested a moment ago and served the off variation.
    expect(await run('counting.ts')).toBe('null\n1 1\ntrue\n')
  })

  it('shows the output of `halyard types`', () => {
    const flag = (key: string, values: readonly unknown[], overrides: object = {}) => ({
      ...{ key, name: key, description: '', deprecated: false, archived: false },
      variations: values.map((value) => ({ value })),
      ...overrides,
    })
    const flags = [
      flag('checkout', [true, false], { name: 'The new checkout' }),
      flag('theme', ['light', 'dark'], { deprecated: true }),
      flag('max-items', [20, 50]),
      flag('retry', [{ times: 3 }, { times: 5, backoff: 'linear' }]),
      flag('old', [true, false], { archived: true }),
    ]
    expect(evaluation.blocksOf('ts')).toContain(flagDeclarations(flags, 'shop', []))
  })
})

describe('the guide to flags in code', () => {
  const flagsInCode = guideOf('flags-in-code', 'flags-in-code')

  it('shows only examples that are compiled and run', () => {
    expect(flagsInCode.blocksOf('ts')).toHaveLength(8)
    expect(flagsInCode.blocksOf('ts').filter((block) => !flagsInCode.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const start = await flagsInCode.outputOf('start.ts')
    const request = await flagsInCode.outputOf('request.ts')
    const next = await flagsInCode.outputOf('next.ts')
    expect(start).toBe(`${flagsInCode.blocksOf('text').join('')}the old checkout, light 3\n`)
    expect(request).toBe('old checkout\nnew checkout\nold checkout\nfalse\n')
    expect(next).toBe('true true\n[ { value: true }, { value: false } ]\n')
  })

  it('shows tests that pass', async () => {
    const { passed, output } = await flagsInCode.runProcess('checkout.test.ts', ...nodeTest)
    expect(output).toMatch(/^# pass 3$/m)
    expect(passed).toBe(true)
  })
})

describe('the guide to flags as code', () => {
  const flagsAsCode = guideOf('flags-as-code', 'flags-as-code')

  it('shows only examples that are compiled and run, with their output', async () => {
    expect(flagsAsCode.blocksOf('ts')).toHaveLength(3)
    expect(flagsAsCode.blocksOf('ts').filter((block) => !flagsAsCode.shown.includes(block))).toEqual([])
    expect(await flagsAsCode.outputOf('apply.ts')).toBe(flagsAsCode.blocksOf('text').join('\n'))
  })
})

describe('the guide to OpenFeature', () => {
  const openfeature = guideOf('openfeature', 'openfeature')

  it('shows only examples that are compiled and run', () => {
    const angular = readFileSync(path.join(root, 'docs/examples/homes/angular/src/main.ts'), 'utf8')
    const examples = [...openfeature.shown, angular]
    expect(openfeature.blocksOf('ts')).toHaveLength(5)
    expect(openfeature.blocksOf('ts').filter((block) => !examples.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    expect(await openfeature.outputOf('server.ts')).toBe(
      `${openfeature.blocksOf('text').join('')}true\nchanged: [ 'checkout' ]\n`,
    )
    // This example replaces the global `fetch`, because a page would use the `fetch` of its browser.
    expect((await openfeature.runProcess('page.ts')).output).toBe('true\n')
  })
})

describe('the guide to tenants', () => {
  const tenants = guideOf('tenants', 'tenants')

  it('shows only examples that are compiled and run', () => {
    expect(tenants.blocksOf('ts')).toHaveLength(5)
    expect(tenants.blocksOf('ts').filter((block) => !tenants.shown.includes(block))).toEqual([])
  })

  it('shows an example that evaluates flags of tenants, and refuses the token of another tenant', async () => {
    const output = await tenants.outputOf('tenants.ts')
    const [shown] = tenants.blocksOf('text')
    expect(output).toBe(`${shown}200 401\n[ 'initech' ]\n`)
  })
})

describe('the guide to snapshots', () => {
  const snapshots = guideOf('snapshots', 'snapshots')

  it('shows only examples that are compiled and run', () => {
    expect(snapshots.blocksOf('ts')).toHaveLength(4)
    expect(snapshots.blocksOf('ts').filter((block) => !snapshots.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const output = await snapshots.outputOf('snapshot.ts')
    expect([output]).toEqual(snapshots.blocksOf('text'))
  })
})

describe('the guide to simulation', () => {
  const simulation = guideOf('simulation', 'simulation')

  it('shows only examples that are compiled and run', () => {
    expect(simulation.blocksOf('ts')).toHaveLength(4)
    expect(simulation.blocksOf('ts').filter((block) => !simulation.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const output = await simulation.outputOf('simulate.ts')
    expect(output).toBe(simulation.blocksOf('text').join(''))
  })
})

describe('the guide to AI configs', () => {
  const aiConfigs = guideOf('ai-configs', 'ai-configs')

  it('shows only examples that are compiled and run', () => {
    expect(aiConfigs.blocksOf('ts')).toHaveLength(4)
    expect(aiConfigs.blocksOf('ts').filter((block) => !aiConfigs.shown.includes(block))).toEqual([])
  })

  it('shows the output of the chat application, whose prompt changes while it runs', async () => {
    expect(await aiConfigs.outputOf('chat.ts')).toBe(aiConfigs.blocksOf('text').join(''))
  })

  it('the example reads an agent by the AI SDK', async () => {
    expect(await aiConfigs.outputOf('sdk.ts')).toBe('true Help Ann.\n')
  })
})

describe('the guide to agent optimizations', () => {
  const optimizations = guideOf('agent-optimizations', 'agent-optimizations')

  it('shows only examples that are compiled and run', () => {
    expect(optimizations.blocksOf('ts')).toHaveLength(4)
    expect(optimizations.blocksOf('ts').filter((block) => !optimizations.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const output = await optimizations.outputOf('run.ts')
    expect(output).toBe(optimizations.blocksOf('text').join(''))
  })
})

describe('the guide to reverting changes', () => {
  const reverting = guideOf('reverting-changes', 'reverting')

  it('shows only examples that are compiled and run', () => {
    expect(reverting.blocksOf('ts')).toHaveLength(3)
    expect(reverting.blocksOf('ts').filter((block) => !reverting.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const output = await reverting.outputOf('revert.ts')
    expect(output).toBe(reverting.blocksOf('text').join(''))
  })
})

describe('the guide to releases', () => {
  const releases = guideOf('releases', 'releases')

  it('shows only examples that are compiled and run', () => {
    expect(releases.blocksOf('ts')).toHaveLength(3)
    expect(releases.blocksOf('ts').filter((block) => !releases.shown.includes(block))).toEqual([])
  })

  it('shows the output of the example', async () => {
    const output = await releases.outputOf('release.ts')
    expect(output).toBe(releases.blocksOf('text').join(''))
  })
})

describe('the guide to SDKs', () => {
  const sdks = guideOf('sdks', 'sdks')
  const run = sdks.outputOf

  it('shows only examples that are compiled and run', () => {
    expect(sdks.blocksOf('ts')).toHaveLength(9)
    expect(sdks.blocksOf('ts').filter((block) => !sdks.shown.includes(block))).toEqual([])
  })

  it('the example connects an SDK, which receives a change and reports its evaluations, and a relay, which receives the SDK key', async () => {
    const [before, after, ...counts] = (await run('serve.ts')).trim().split('\n')
    expect([before, after]).toEqual(['false', 'true'])
    expect(counts).toEqual(['0 1', '1 1', 'true', 'true'])
  })

  it('the example sends a browser the flags that are visible to it', async () => {
    expect(await run('fetch.ts')).toBe("checkout false { kind: 'OFF' }\n")
  })

  it('the example tracks events of an AI config and reads its metrics', async () => {
    expect(await run('ai-metrics.ts')).toBe('120 30 1\n')
  })
})
