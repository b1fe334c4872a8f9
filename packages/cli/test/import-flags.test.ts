import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadPeer } from '../src/import/flags/comparison/load-peer.ts'
import type { FlagFormat, OldEvaluatorMaker } from '../src/import/flags/flag-format.ts'
import { flagFormats } from '../src/import/flags/flag-formats.ts'
import { importFlags } from '../src/import/flags/import-flags.ts'
import type { MovedConfig, MovedProject } from '../src/import/flags/moved-project.ts'
import { readJsonValues } from '../src/import/flags/read-json-values.ts'
import { stepsOf, writeMoved } from '../src/import/flags/write-moved.ts'
import { ownerApi } from '../src/owner-api.ts'
import { runCli } from '../src/run-cli.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'halyard-import-flags-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exported = (name: string) => path.resolve(import.meta.dirname, 'exports', name)

function terminal(stdin = '', signal = new AbortController().signal) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const said = (stream: PassThrough) => String(stream.read() ?? '')
  return {
    terminal: { env: {}, stdin: Readable.from([stdin]), stdout, stderr, signal },
    out: () => said(stdout),
    err: () => said(stderr),
  }
}

async function run(args: readonly string[], stdin = '') {
  const { terminal: own, out, err } = terminal(stdin)
  const code = await runCli(['import', ...args], own)
  return { code, out: out(), err: err() }
}

async function readMoved(format: string, file: string, environmentKey?: string): Promise<MovedProject> {
  const values = await readJsonValues(exported(file), terminal().terminal)
  const read = flagFormats.find(({ name }) => name === format)?.read(values, { environmentKey })
  if (!read?.ok) throw new Error(`${read?.at} ${read?.reason}`)
  return read.moved
}

async function project() {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.UTC(2026, 1, 1) })
  onTestFinished(() => engine.close())
  const api = ownerApi(engine)
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  return { engine, api, projectKey: 'shop' }
}

const watch = { signal: new AbortController().signal, at: () => {} }

describe('what an export comes to', () => {
  it('is evaluated as it was: Unleash', async () => {
    const place = await project()
    await writeMoved(await readMoved('unleash', 'unleash.json'), place, watch)
    const flags = place.engine.evaluator<Record<string, unknown>>({ projectKey: 'shop', environmentKey: 'development' })
    await flags.ready()
    const ask = (flag: string, attributes: object) =>
      flags.evaluate(flag, { kind: 'user', key: 'kim', ...attributes }, undefined).value
    const staff = { email: 'Kim@Example.COM', appVersion: '2.1.0' }
    expect(ask('checkout', {})).toBe(false)
    expect(ask('checkout', { key: 'ann' })).toBe(true)
    // NOT_IN holds where there is no country, and the segment is about any case.
    expect(ask('checkout', staff)).toBe(true)
    expect(ask('checkout', { ...staff, country: 'us' })).toBe(true)
    expect(ask('checkout', { ...staff, country: 'de' })).toBe(false)
    expect(ask('checkout', { ...staff, appVersion: '2.1' })).toBe(false)
    expect(ask('express-payments', {})).toBe(true)
    expect(ask('holidays', { currentTime: Date.UTC(2025, 11, 21) })).toBe(true)
    const flag = (featureFlagKey: string) => place.api.getFlag({ projectKey: 'shop', featureFlagKey })
    const checkout = await flag('checkout')
    expect(checkout).toMatchObject({
      description: 'The new checkout',
      tags: ['web', 'team.growth'],
      temporary: true,
      customProperties: { type: { name: 'Type', value: ['release'] } },
    })
    expect(await flag('banner')).toMatchObject({
      deprecated: true,
      variations: [
        { value: '#f00', name: 'red' },
        { value: '#00f', name: 'blue' },
        { value: '', name: 'disabled' },
      ],
    })
    expect(checkout.environments?.development).toMatchObject({
      on: true,
      trackEvents: true,
      targets: [{ variation: 0, values: ['ann', 'bob'] }],
      prerequisites: [],
    })
    const express = await flag('express-payments')
    expect(express.environments?.development?.prerequisites).toEqual([{ key: 'payments', variation: 0 }])
  })

  it('is evaluated as it was: flagd', async () => {
    const place = await project()
    await writeMoved(await readMoved('flagd', 'flagd.json', 'staging'), place, watch)
    const flags = place.engine.evaluator<Record<string, unknown>>({ projectKey: 'shop', environmentKey: 'staging' })
    await flags.ready()
    const ask = (flag: string, attributes: object, preset?: unknown) =>
      flags.evaluate(flag, { kind: 'user', key: 'kim', ...attributes }, preset).value
    expect(ask('new-welcome', { email: 'kim@example.com' })).toBe(true)
    expect(ask('new-welcome', { email: 'kim@example.com', country: 'de' })).toBe(false)
    expect(ask('new-welcome', { age: 17 })).toBe(false)
    expect(ask('colour', { app: { version: '2.9.0' } })).toBe('#00f')
    expect(ask('colour', { app: { version: '3.0.0' } })).toBe('#f00')
    // It is disabled, so that the default in code counts.
    expect(ask('max-items', {}, 42)).toBe(42)
    expect(ask('limits', {})).toEqual({ rate: 5 })
    const welcome = await place.api.getFlag({ projectKey: 'shop', featureFlagKey: 'new-welcome' })
    expect(welcome.customProperties).toEqual({ team: { name: 'team', value: ['growth'] } })
    expect(welcome.environments?.staging?.rules?.at(-1)?.rollout?.variations).toEqual([
      { variation: 0, weight: 25_000 },
      { variation: 1, weight: 75_000 },
    ])
  })

  it('is evaluated as it was: the reference API', async () => {
    const place = await project()
    await writeMoved(await readMoved('reference', 'reference.json'), place, watch)
    const checkout = await place.api.getFlag({ projectKey: 'shop', featureFlagKey: 'checkout' })
    expect(checkout.environments?.production).toMatchObject({
      on: true,
      targets: [{ values: ['ann'], variation: 0, contextKind: 'user' }],
      contextTargets: [{ values: ['d-1'], variation: 1, contextKind: 'device' }],
      rules: [{ _id: 'r-staff', description: 'Staff', variation: 0, trackEvents: true, clauses: [{ _id: 'c-1' }] }],
      prerequisites: [{ key: 'payments', variation: 0 }],
      offVariation: 1,
      _environmentName: 'Production',
    })
    expect(checkout.clientSideAvailability).toEqual({ usingEnvironmentId: true, usingMobileKey: false })
    const segment = { projectKey: 'shop', environmentKey: 'production', segmentKey: 'staff' }
    expect(await place.api.getSegment(segment)).toMatchObject({
      included: ['bob'],
      excluded: ['kim'],
      tags: ['people'],
      rules: [{ _id: 's-1', clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.com'] }] }],
    })
    const kinds = await place.api.listContextKinds({ projectKey: 'shop' })
    expect(kinds.items.map(({ key }) => key)).toEqual(['device', 'user'])
  })
})

describe('writing', () => {
  it.each([
    ['unleash', 'unleash.json', 5],
    ['flagd', 'flagd.json', 4],
    ['reference', 'reference.json', 2],
  ])('changes nothing the second time: %s', async (format, file, count) => {
    const place = await project()
    const moved = await readMoved(format, file)
    const first = await writeMoved(moved, place, watch)
    expect(first).toMatchObject({ flags: { created: count, changed: 0, unchanged: 0 }, refused: [] })
    const newest = async () => (await place.api.listChangeLog({ limit: 1 })).items[0]?._id
    const before = await newest()
    expect(before).toBeTypeOf('string')
    expect(await writeMoved(moved, place, watch)).toEqual({
      flags: { created: 0, changed: 0, unchanged: count },
      segments: { created: 0, changed: 0, unchanged: moved.segments.length },
      refused: [],
    })
    expect(await newest()).toBe(before)
  })

  it('changes what has changed, and keeps the places of variations', async () => {
    const place = await project()
    const moved = await readMoved('reference', 'reference.json')
    await writeMoved(moved, place, watch)
    const turned = (flag: MovedProject['flags'][number]): MovedProject['flags'][number] =>
      flag.key === 'payments'
        ? {
            ...flag,
            variations: [{ value: 'wallets' }, { value: 'none' }, { value: 'cards' }],
            configs: {
              production: {
                ...(flag.configs.production as MovedConfig),
                fallthrough: { variation: 0 },
                offVariation: 1,
              },
            },
          }
        : flag
    const again = await writeMoved({ ...moved, flags: moved.flags.map(turned) }, place, watch)
    expect(again).toMatchObject({ flags: { created: 0, changed: 1, unchanged: 1 }, refused: [] })
    const payments = await place.api.getFlag({ projectKey: 'shop', featureFlagKey: 'payments' })
    expect(payments.variations.map(({ value }) => value)).toEqual(['all', 'cards', 'none', 'wallets'])
    expect(payments.environments?.production).toMatchObject({ fallthrough: { variation: 3 }, offVariation: 2 })
  })

  it('leaves out what the engine refuses, and writes the rest', async () => {
    const place = await project()
    const moved = await readMoved('flagd', 'flagd.json')
    await place.api.createFlag({ projectKey: 'shop', body: { key: 'limits', name: 'limits' } })
    const { flags, refused } = await writeMoved(moved, place, watch)
    expect(flags).toEqual({ created: 3, changed: 0, unchanged: 0 })
    expect(refused).toEqual([{ what: 'flag limits', why: 'variations must be true and false' }])
  })

  it('ends where it is interrupted, and goes on when it is run again', async () => {
    const place = await project()
    const moved = await readMoved('unleash', 'unleash.json')
    const cut = new AbortController()
    const at = (done: number) => {
      if (done === 6) cut.abort()
    }
    await expect(writeMoved(moved, place, { signal: cut.signal, at })).rejects.toThrow(
      `6 of ${stepsOf(moved)} steps are done; run it again to go on`,
    )
    const { flags } = await writeMoved(moved, place, watch)
    expect(flags).toEqual({ created: 3, changed: 2, unchanged: 0 })
  })
})

describe('the command', () => {
  it('tells what is lost and what differs, and with --dry-run writes nothing', async () => {
    const storage = `pglite:${path.join(folder, 'dry')}`
    const report = path.join(folder, 'report.json')
    const dry = await run(['unleash', exported('unleash.json'), '--storage', storage, '--dry-run', '--report', report])
    expect(dry.code).toBe(0)
    expect(dry.out).toContain('Unleash: 5 flags and 2 segments in development\n')
    expect(dry.out).toContain(
      'payments\n  values may change: strategy regional (in development, at /0/features/2/strategies/1)',
    )
    expect(dry.out).toContain('compared with unleash-client: 2 same, 2 the same by shares, 1 differ\n')
    expect(dry.out).not.toContain('created')
    const told = JSON.parse(readFileSync(report, 'utf8'))
    expect(
      told.flags.map(({ key, comparisons }: { key: string; comparisons: { verdict: string }[] }) => [
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
    // The clock of the old rules is now, and there is none here.
    expect(told.flags[4].comparisons[0].example).toMatchObject({ old: { value: true }, now: { value: false } })
    const types = terminal()
    expect(await runCli(['types', '--project', 'demo', '--storage', storage], types.terminal)).toBe(1)
  })

  it('writes to a storage, from standard input, without comparing', async () => {
    const storage = `pglite:${path.join(folder, 'written')}`
    const args = ['flagd', '-', '--storage', storage, '--project', 'shop', '--environment', 'staging', '--compare', '0']
    const first = await run(args, readFileSync(exported('flagd.json'), 'utf8'))
    expect([first.code, first.out]).toEqual([
      0,
      expect.stringContaining('flags: 4 created, 0 changed, 0 as they were\n'),
    ])
    expect(first.out).not.toContain('compared with')
    const again = await run(args, readFileSync(exported('flagd.json'), 'utf8'))
    expect(again.out).toContain(
      'flags: 0 created, 0 changed, 4 as they were\nsegments: 0 created, 0 changed, 1 as they were\n',
    )
  })

  it('goes on where there is nothing to compare with', async () => {
    expect(await loadPeer('@halyard/no-such-package')).toBeUndefined()
    const { terminal: own, out, err } = terminal()
    const values = { project: 'shop', environment: undefined, storage: 'memory', url: undefined, token: undefined }
    const asked = { ...values, 'dry-run': 'on', report: undefined, compare: '10' }
    const flagd = flagFormats.find(({ name }) => name === 'flagd') as FlagFormat
    const maker = flagd.evaluator as OldEvaluatorMaker
    await importFlags(
      { ...flagd, evaluator: { ...maker, package: '@halyard/none' } },
      exported('flagd.json'),
      asked,
      own,
    )
    expect(err()).toBe('not compared with the old rules: install @halyard/none for that\n')
    const refusing = { ...maker, open: () => Promise.reject(new Error('no such state')) }
    await importFlags({ ...flagd, evaluator: refusing }, exported('flagd.json'), asked, own)
    expect(err()).toBe('not compared with the old rules: @openfeature/flagd-core says no such state\n')
    expect(out()).toContain('losses: 2 of values')
  })

  it('has written nothing when it is interrupted before', async () => {
    const { terminal: own, err } = terminal('', AbortSignal.abort())
    expect(await runCli(['import', 'flagd', exported('flagd.json'), '--storage', 'memory'], own)).toBe(130)
    expect(err()).toBe('halyard: interrupted; nothing was written\n')
  })

  it('names the place of what is not as expected', async () => {
    const said = async (format: string, content: string, ...more: string[]) => {
      const file = path.join(folder, 'bad.json')
      writeFileSync(file, content)
      const { code, err } = await run([format, file, '--storage', 'memory', ...more])
      return [code, err.replaceAll(file, 'bad.json')]
    }
    expect(await said('unleash', '{"features":[{"name":5}]}')).toEqual([
      1,
      'halyard: bad.json: /features/0/name must be string, not 5\n',
    ])
    expect(await said('flagd', '{"flags":{"a/b":{"state":"ON","variants":{}}}}')).toEqual([
      1,
      'halyard: bad.json: /flags/a~1b/state must be ("ENABLED" | "DISABLED"), not "ON"\n',
    ])
    const short = '{"items":[{"key":"a","variations":[],"environments":{"test":{"on":true,"fallthrough":{}}}}]}'
    expect(await said('reference', short)).toEqual([
      1,
      'halyard: bad.json: /items/0/environments/test/rules must be there: ask for flags with summary=0\n',
    ])
    expect(await said('reference', '{"key":"a"}\n{"items":[]}\n{"key":')).toEqual([
      1,
      'halyard: bad.json is not JSON: see line 3\n',
    ])
    expect(await said('flagd', '{"flags":{}}', '--compare', 'all')).toEqual([
      1,
      'halyard: --compare must be a number of contexts, 0 to 999999\n',
    ])
  })
})
