import { expect, it } from 'vitest'
import type { ImportedProject } from '../imported-project.ts'
import { readReference } from './read-reference.ts'

function read(values: readonly unknown[], environmentKey?: string): ImportedProject {
  const result = readReference(values, { environmentKey })
  if (!result.ok) throw new Error(`${result.at} ${result.reason}`)
  return result.importedProject
}

const config = (overrides: object = {}) => ({
  on: true,
  rules: [],
  fallthrough: { variation: 0 },
  offVariation: 1,
  ...overrides,
})

const flag = (key: string, environments: object, overrides: object = {}) => ({
  key,
  variations: [{ value: true }, { value: false }],
  environments,
  ...overrides,
})

const segment = (environment: string, key: string, overrides: object = {}) => ({
  key,
  included: [],
  _links: { self: { href: `/api/v2/segments/web/${environment}/${key}` } },
  ...overrides,
})

it('responses are read in any combination', () => {
  const [a, b] = [flag('a', { test: config() }), flag('b', { test: config({ _environmentName: 'Test it' }) })]
  const environment = { key: 'test', name: 'Testing', color: 'ff0000' }
  const keys = (importedProject: ImportedProject) => [
    importedProject.flags.map(({ key }) => key),
    importedProject.segments.map(({ key }) => key),
  ]
  const expected = [['a', 'b'], ['s']]
  const s = segment('test', 's')
  expect(keys(read([{ items: [a] }, { items: [b] }, { items: [s] }]))).toEqual(expected)
  expect(keys(read([[{ items: [a, b] }, [s]]]))).toEqual(expected)
  expect(keys(read([a, b, a, s]))).toEqual(expected)
  const bundle = {
    flags: [a, b],
    segments: { items: [s] },
    project: { key: 'web', environments: { items: [environment] } },
  }
  expect(keys(read([bundle]))).toEqual(expected)
  expect(read([bundle]).environments).toEqual([environment])
  expect(read([b]).environments).toEqual([{ key: 'test', name: 'Test it' }])
})

it('only the requested environment is read', () => {
  const importedProject = read(
    [flag('a', { test: config(), live: config() }), segment('live', 's'), segment('test', 's')],
    'live',
  )
  expect(Object.keys(importedProject.flags[0]?.configs ?? {})).toEqual(['live'])
  expect(importedProject.segments.map(({ environmentKey }) => environmentKey)).toEqual(['live'])
  expect(readReference([flag('a', { test: config() })], { environmentKey: 'live' })).toMatchObject({ ok: false })
})

it('unknown properties, salts, experiments, big segments and missing resources are reported as losses', () => {
  const halves = [
    { variation: 0, weight: 50_000 },
    { variation: 1, weight: 50_000 },
  ]
  const clauses = [{ op: 'segmentMatch', values: ['gone'] }]
  const importedProject = read([
    flag(
      'a',
      {
        test: config({
          rules: [
            { clauses, variation: 0 },
            { clauses: [{ attribute: 'x', op: 'near', values: [1] }], variation: 0 },
          ],
          fallthrough: { rollout: { variations: halves, kind: 'experiment' } },
          prerequisites: [{ key: 'old', variation: 0 }],
          futures: [1],
        }),
      },
      { maintainerId: 'm', maintainerTeamKey: 't', goalIds: ['g'], sparkle: true },
    ),
    flag('old', {}, { archived: true }),
    segment('test', 'big', { unbounded: true, unboundedContextKind: 'device' }),
    segment('test', 'part', { rules: [{ clauses: [], weight: 10_000 }] }),
  ])
  const lossSummary = importedProject.losses.map((loss) => [loss.flag ?? loss.segment, loss.what, loss.affects])
  expect(lossSummary).toEqual([
    ['a', 'maintainer', 'nothing'],
    ['a', 'maintaining team', 'nothing'],
    ['a', 'experiments', 'nothing'],
    ['a', 'property sparkle', 'nothing'],
    ['a', 'property futures', 'nothing'],
    ['a', 'prerequisite old', 'nothing'],
    ['a', 'a clause near', 'values'],
    ['a', 'an experiment', 'nothing'],
    ['a', 'rollout', 'shares'],
    ['big', 'the keys of a big segment', 'values'],
    ['part', 'a percentage in a segment', 'shares'],
    ['gone', 'a segment', 'nothing'],
  ])
  expect(importedProject.flags[0]?.configs.test).toMatchObject({
    on: false,
    prerequisites: [],
    rules: [{ clauses: [{ values: ['gone'] }] }],
  })
  expect(importedProject.contextKinds).toEqual(['device'])
  expect(importedProject.segments.find(({ key }) => key === 'gone')).toMatchObject({
    environmentKey: 'test',
    rules: [],
  })
})

it('targets are normalized: each key once, users in their own list, included before excluded', () => {
  const targets = [
    { values: ['a', 'b'], variation: 0 },
    { values: ['b', 'c'], variation: 1 },
  ]
  const contextTargets = [
    { contextKind: 'user', values: [], variation: 0 },
    { contextKind: 'user', values: ['d'], variation: 1 },
    { contextKind: 'device', values: ['e'], variation: 1 },
  ]
  const importedProject = read([
    flag('x', { test: config({ targets, contextTargets }) }),
    segment('test', 's', {
      included: ['a', 'a'],
      excluded: ['a', 'b'],
      includedContexts: [{ contextKind: 'user', values: ['c'] }],
    }),
  ])
  const testConfig = importedProject.flags[0]?.configs.test
  expect(testConfig?.targets.map(({ values, variation }) => [values, variation])).toEqual([
    [['a', 'b'], 0],
    [['c'], 1],
    [['d'], 1],
  ])
  expect(testConfig?.contextTargets).toEqual([{ contextKind: 'device', values: ['e'], variation: 1 }])
  expect(importedProject.segments[0]).toMatchObject({ included: ['a', 'c'], excluded: ['b'], includedContexts: [] })
})

it('an invalid flag set is refused with the position of the error', () => {
  const readResult = (...values: unknown[]) => readReference(values, {})
  expect(readResult([])).toMatchObject({ ok: false, reason: 'contains no flags' })
  expect(readResult({ items: [5] })).toMatchObject({ at: '/items/0', reason: 'must be a response of the API' })
  expect(readResult({ what: 1 })).toMatchObject({
    reason: 'must be a flag, a segment, an environment or a page of them',
  })
  const segmentWithoutEnvironment = { key: 's', included: [], _links: { self: { href: '/s' } } }
  expect(readResult(flag('a', {}), segmentWithoutEnvironment)).toMatchObject({
    at: '/1/_links/self/href',
    reason: 'must name an environment',
  })
})
