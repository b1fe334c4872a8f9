import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { flagdFormat, type OldEvaluatorFactory } from '@halyard/import'
import { afterAll, describe, expect, it } from 'vitest'
import { loadPeer } from '../../import/src/comparison/load-peer.ts'
import { importFlags } from '../src/import/import-flags.ts'
import { runCli } from '../src/run-cli.ts'
import { capturedTerminal } from './captured-terminal.ts'
import { exported, runImport } from './run-import.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'halyard-import-flags-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/guide/importing-flags.md'), 'utf8')
/** The lines of the report that the guide shows. */
const guideLines = guide.split('```text\n')[1]?.split('```')[0]?.split('\n') ?? []

describe('an import of flags', () => {
  it('reports losses and differences, and with --dry-run writes nothing', async () => {
    const storage = `sqlite:${path.join(folder, 'dry.db')}`
    const report = path.join(folder, 'report.json')
    const dry = await runImport([
      'unleash',
      exported('unleash.json'),
      '--storage',
      storage,
      '--dry-run',
      '--report',
      report,
    ])
    expect(dry.code).toBe(0)
    expect(dry.out).toContain('Unleash: 5 flags and 2 segments in development\n')
    expect(dry.out).toContain(
      'payments\n  values may change: strategy regional (in development, at /0/features/2/strategies/1)',
    )
    expect(dry.out).toContain('compared with unleash-client: 2 same, 2 with the same shares, 1 differ\n')
    expect(dry.out).not.toContain('created')
    const printed = dry.out.split('\n')
    expect(guideLines.length).toBeGreaterThan(10)
    expect(guideLines.filter((line) => !printed.includes(line))).toEqual([])
    const reported = JSON.parse(readFileSync(report, 'utf8'))
    expect(
      reported.flags.map(({ key, comparisons }: { key: string; comparisons: { verdict: string }[] }) => [
        key,
        comparisons[0]?.verdict,
      ]),
    ).toEqual([
      ['checkout', 'by-rollout'],
      ['banner', 'by-rollout'],
      ['payments', 'same'],
      ['express-payments', 'same'],
      ['holidays', 'differs'],
    ])
    // The original rules use the current time, which rules of this engine cannot use.
    expect(reported.flags[4].comparisons[0].example).toMatchObject({ old: { value: true }, now: { value: false } })
    const types = capturedTerminal()
    expect(await runCli(['types', '--project', 'demo', '--storage', storage], types.terminal)).toBe(1)
  })

  it('reads standard input, and writes to a storage without comparing evaluations', async () => {
    const storage = `sqlite:${path.join(folder, 'written.db')}`
    const args = ['flagd', '-', '--storage', storage, '--project', 'shop', '--environment', 'staging', '--compare', '0']
    const first = await runImport(args, readFileSync(exported('flagd.json'), 'utf8'))
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('flags: 4 created, 0 changed, 0 unchanged\n')])
    expect(first.out).not.toContain('compared with')
    const again = await runImport(args, readFileSync(exported('flagd.json'), 'utf8'))
    expect(again.out).toContain(
      'flags: 0 created, 0 changed, 4 unchanged\nsegments: 0 created, 0 changed, 1 unchanged\n',
    )
  })

  it('reports how many unused segments it has deleted', async () => {
    const file = path.join(folder, 'changing.json')
    const args = ['growthbook', file, '--storage', `sqlite:${path.join(folder, 'changing.db')}`, '--compare', '0']
    const importedWith = (...countries: string[]) => {
      const rules = [{ force: true, condition: { country: { $nin: countries } } }]
      writeFileSync(file, JSON.stringify({ features: { banner: { defaultValue: false, rules } } }))
      return runImport(args)
    }
    expect((await importedWith('de')).out).not.toContain('deleted')
    const { out } = await importedWith('fr')
    expect(out).toContain('segments: 1 created, 0 changed, 0 unchanged\n')
    expect(out).toContain('unused segments: 1 deleted\n')
  })

  it('continues when the evaluator of the original rules is not installed or fails', async () => {
    expect(await loadPeer('@halyard/no-such-package')).toBeUndefined()
    const { terminal: captured, out, err } = capturedTerminal()
    const values = { project: 'shop', environment: undefined, storage: 'memory', url: undefined, token: undefined }
    const options = { ...values, 'dry-run': 'on', report: undefined, compare: '10' }
    const factory = flagdFormat.evaluator as OldEvaluatorFactory
    await importFlags(
      { format: { ...flagdFormat, evaluator: { ...factory, package: '@halyard/none' } }, file: exported('flagd.json') },
      options,
      captured,
    )
    expect(err()).toBe('not compared with the original rules: install @halyard/none to compare\n')
    const failingFactory = { ...factory, open: () => Promise.reject(new Error('no such state')) }
    await importFlags(
      { format: { ...flagdFormat, evaluator: failingFactory }, file: exported('flagd.json') },
      options,
      captured,
    )
    expect(err()).toBe('not compared with the original rules: @openfeature/flagd-core reports no such state\n')
    expect(out()).toContain('losses: 2 that may change values')
  })

  it('writes nothing when it is interrupted while it compares', async () => {
    const { terminal: captured, err } = capturedTerminal('', AbortSignal.abort())
    expect(await runCli(['import', 'flagd', exported('flagd.json'), '--storage', 'memory'], captured)).toBe(130)
    expect(err()).toBe('halyard: interrupted; nothing was written\n')
  })

  it('names the position of an invalid value', async () => {
    const runWith = async (format: string, content: string, ...extraArgs: string[]) => {
      const file = path.join(folder, 'bad.json')
      writeFileSync(file, content)
      const { code, err } = await runImport([format, file, '--storage', 'memory', ...extraArgs])
      return [code, err.replaceAll(file, 'bad.json')]
    }
    expect(await runWith('unleash', '{"features":[{"name":5}]}')).toEqual([
      1,
      'halyard: bad.json: /features/0/name must be string, not 5\n',
    ])
    expect(await runWith('flagd', '{"flags":{"a/b":{"state":"ON","variants":{}}}}')).toEqual([
      1,
      'halyard: bad.json: /flags/a~1b/state must be ("ENABLED" | "DISABLED"), not "ON"\n',
    ])
    const withoutRules = '{"items":[{"key":"a","variations":[],"environments":{"test":{"on":true,"fallthrough":{}}}}]}'
    expect(await runWith('reference', withoutRules)).toEqual([
      1,
      'halyard: bad.json: /items/0/environments/test/rules must be present: request flags with summary=0\n',
    ])
    expect(await runWith('reference', '{"key":"a"}\n{"items":[]}\n{"key":')).toEqual([
      1,
      'halyard: bad.json is not JSON: see line 3\n',
    ])
    expect(await runWith('flagd', '{"flags":{}}', '--compare', 'all')).toEqual([
      1,
      'halyard: --compare must be a number of contexts, 0 to 999999\n',
    ])
  })
})
