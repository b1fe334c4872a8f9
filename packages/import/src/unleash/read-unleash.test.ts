import { expect, it } from 'vitest'
import type { ImportedProject } from '../imported-project.ts'
import { readUnleash } from './read-unleash.ts'

function read(values: readonly unknown[], environmentKey?: string): ImportedProject {
  const result = readUnleash(values, { environmentKey })
  if (!result.ok) throw new Error(`${result.at} ${result.reason}`)
  return result.importedProject
}

const admin = (environment: string, name: string, overrides: object = {}) => ({
  features: [{ name, ...overrides }],
  featureStrategies: [],
  featureEnvironments: [{ featureName: name, environment, enabled: true }],
})

const client = (...features: object[]) => ({
  features: features.map((feature) => ({ enabled: true, strategies: [], ...feature })),
})

it('the exports of several environments are combined', () => {
  const importedProject = read([admin('development', 'a'), admin('production', 'a')])
  expect(importedProject.environments.map(({ key }) => key)).toEqual(['development', 'production'])
  expect(importedProject.flags).toHaveLength(1)
  expect(Object.keys(importedProject.flags[0]?.configs ?? {})).toEqual(['development', 'production'])
  expect(read([admin('development', 'a'), admin('production', 'a')], 'production').environments).toHaveLength(1)
  expect(readUnleash([admin('development', 'a'), admin('production', 'a')], { environmentKey: 'x' })).toEqual({
    ok: false,
    at: '',
    reason: 'has no environment x',
  })
  // A single environment is imported into the requested one.
  expect(read([admin('development', 'a')], 'staging').environments).toEqual([{ key: 'staging', name: 'staging' }])
})

it('a flag has one list of values for all environments', () => {
  const variant = (name: string) => ({ variants: [{ name, weight: 1000 }] })
  const exportOfVariant = (environment: string, name: string) => ({
    ...admin(environment, 'a'),
    featureEnvironments: [{ featureName: 'a', environment, enabled: true, ...variant(name) }],
  })
  const [flag] = read([exportOfVariant('development', 'red'), exportOfVariant('production', 'blue')]).flags
  expect(flag?.variations?.map(({ value }) => value)).toEqual(['red', 'blue', 'disabled'])
  expect(flag?.configs.development?.fallthrough).toEqual({ variation: 0 })
  expect(flag?.configs.production?.fallthrough).toEqual({ variation: 1 })
})

it.each([
  ['names', [undefined, undefined], ['v0', 'v1', 'disabled']],
  [
    'texts',
    [
      { type: 'string', value: 'a' },
      { type: 'csv', value: 'a,b' },
    ],
    ['a', 'a,b', ''],
  ],
  [
    'numbers',
    [
      { type: 'number', value: '0' },
      { type: 'number', value: '1.5' },
    ],
    [0, 1.5, -1],
  ],
  [
    'JSON',
    [
      { type: 'json', value: '{"a":1}' },
      { type: 'json', value: '[]' },
    ],
    [{ a: 1 }, [], null],
  ],
  ['mixtures', [{ type: 'number', value: '1' }, undefined], [{ name: 'v0', payload: 1 }, { name: 'v1' }, {}]],
  [
    'doubles',
    [
      { type: 'string', value: 'a' },
      { type: 'string', value: 'a' },
    ],
    [{ name: 'v0', payload: 'a' }, { name: 'v1', payload: 'a' }, {}],
  ],
])('variants become values: %s', (_, payloads, values) => {
  const variants = payloads.map((payload, at) => ({ name: `v${at}`, weight: 500, ...(payload ? { payload } : {}) }))
  expect(read([client({ name: 'a', variants })]).flags[0]?.variations?.map(({ value }) => value)).toEqual(values)
})

it('dependencies become prerequisites, and a flag is off when its dependency cannot become one', () => {
  const variants = [
    { name: 'x', weight: 500 },
    { name: 'y', weight: 500 },
  ]
  const dependsOn = (feature: string, options = {}) => ({ dependencies: [{ feature, ...options }] })
  const importedProject = read([
    client(
      { name: 'plain' },
      { name: 'many', variants },
      { name: 'off', enabled: false },
      { name: 'needs', ...dependsOn('plain') },
      { name: 'needs-not', ...dependsOn('plain', { enabled: false }) },
      { name: 'needs-off-not', ...dependsOn('off', { enabled: false }) },
      { name: 'needs-x', ...dependsOn('many', { variants: ['x'] }) },
      { name: 'needs-any', ...dependsOn('many', { variants: ['x', 'y'] }) },
      { name: 'needs-child', ...dependsOn('needs') },
      { name: 'needs-nobody', ...dependsOn('nobody') },
    ),
  ])
  const configs = importedProject.flags.map(({ key, configs }) => [
    key,
    configs.production?.on,
    configs.production?.prerequisites,
  ])
  expect(configs.slice(3)).toEqual([
    ['needs', true, [{ key: 'plain', variation: 0 }]],
    ['needs-not', true, [{ key: 'plain', variation: 1 }]],
    ['needs-off-not', true, []],
    ['needs-x', true, [{ key: 'many', variation: 0 }]],
    ['needs-any', false, []],
    ['needs-child', false, []],
    ['needs-nobody', false, []],
  ])
  expect(importedProject.losses.filter(({ affects }) => affects === 'values')).toMatchObject([{ flag: 'needs-any' }])
})

it('unknown properties are reported with their positions', () => {
  const constraint = { contextName: 'a', operator: 'IN', values: ['b'], strength: 5 }
  const feature = {
    name: 'a b',
    colour: 'red',
    empty: null,
    variants: [{ name: 'x', weight: 1, size: 3 }],
    strategies: [
      { name: 'default', constraints: [constraint], mood: 'good' },
      { name: 'default', disabled: true },
    ],
  }
  const { losses } = read([{ ...client(feature), news: 1 }])
  expect(losses.map(({ at, what }) => [at, what])).toEqual([
    ['/news', 'property news'],
    ['/features/0/colour', 'property colour'],
    ['/features/0/variants/0/size', 'property size'],
    ['/features/0/strategies/0/mood', 'property mood'],
    ['/features/0/strategies/0/constraints/0/strength', 'property strength'],
    ['/features/0/strategies/1', 'strategy default'],
    [undefined, 'the name "a b"'],
  ])
  expect(new Set(losses.flatMap(({ flag }) => flag ?? []))).toEqual(new Set(['a-b']))
})

it('segments without constraints and unsupported strategies are reported as losses', () => {
  const { losses, segments, advice } = read([
    {
      ...admin('development', 'a'),
      featureStrategies: [
        { featureName: 'a', name: 'own', parameters: {}, segments: [1] },
        { featureName: 'a', name: 'applicationHostname', parameters: { hostNames: 'A, b' } },
        { featureName: 'a', name: 'remoteAddress', parameters: { IPs: 'fe80::/10' } },
        {
          featureName: 'a',
          name: 'default',
          constraints: [
            { contextName: 'key', operator: 'IN', values: ['x'] },
            { contextName: 'x', operator: 'NEAR', values: ['y'] },
            { contextName: 'x', operator: 'REGEX', value: '(?i)x' },
            { contextName: 'environment', operator: 'IN', values: ['y'] },
          ],
        },
      ],
      segments: [{ id: 1, name: 'Staff' }],
    },
  ])
  expect(segments).toMatchObject([{ key: 'Staff', rules: [] }])
  expect(losses.filter(({ affects }) => affects === 'values').map(({ what }) => what)).toEqual([
    'its constraints',
    'strategy own',
    'strategy applicationHostname',
    'address range fe80::/10',
    'constraint key IN',
    'constraint x NEAR',
    'constraint x REGEX',
  ])
  expect(advice.join()).toContain('environment and appName')
})
