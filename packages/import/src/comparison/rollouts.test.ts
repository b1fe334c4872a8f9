import { describe, expect, it } from 'vitest'
import type { FlagFormat } from '../flag-format.ts'
import { flagdFormat } from '../flagd/flagd-format.ts'
import type { ImportedProject } from '../imported-project.ts'
import { referenceFormat } from '../reference/reference-format.ts'
import { unleashFormat } from '../unleash/unleash-format.ts'
import { compareProject } from './differential.ts'
import { dryRunImport } from './dry-run-import.ts'
import { loadPeer } from './load-peer.ts'

/** Compares an imported project, or a changed copy of it, with the results of the vendor's evaluator. */
async function verdictsOf(
  format: FlagFormat,
  exported: unknown,
  change = (importedProject: ImportedProject) => importedProject,
) {
  const read = format.read([exported], {})
  if (!read.ok || !format.evaluator) throw new Error('the export is not readable')
  const importedProject = change(read.importedProject)
  const old = await format.evaluator.open(await loadPeer(format.evaluator.package), [exported], {})
  const dryRun = await dryRunImport(importedProject, new AbortController().signal)
  try {
    const comparisons = await compareProject(importedProject, { old, now: dryRun.now }, { contexts: 300 })
    return Object.fromEntries(comparisons.map(({ flag, verdict }) => [flag, verdict]))
  } finally {
    await dryRun.close()
    await old.close()
  }
}

const rollout = (percent: string, stickiness = 'default') => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness, groupId: `g${percent}` },
  constraints: [],
})

const inCountry = (...values: string[]) => ({ contextName: 'country', operator: 'IN', values })

const variants = (...weights: number[]) =>
  weights.map((weight, index) => ({
    name: `v${index}`,
    weight,
    stickiness: 'default',
    payload: { type: 'number', value: String(index + 1) },
  }))

const unleash = (...features: object[]) => ({
  version: 2,
  features: features.map((feature) => ({ enabled: true, variants: [], ...feature })),
})

describe('the shares', () => {
  it('of successive strategies with variants equal those of Unleash', async () => {
    const exported = unleash(
      { name: 'one', strategies: [rollout('30')] },
      { name: 'two', strategies: [{ ...rollout('30'), constraints: [inCountry('de')] }, rollout('20', 'sessionId')] },
      {
        name: 'rest',
        strategies: [
          { ...rollout('40'), constraints: [inCountry('de')] },
          { name: 'default', parameters: {}, constraints: [inCountry('fr')] },
        ],
      },
      { name: 'variants', strategies: [rollout('100')], variants: variants(700, 200, 100) },
      { name: 'both', strategies: [rollout('60')], variants: variants(500, 500) },
      {
        name: 'mixed',
        strategies: [
          { ...rollout('50'), constraints: [inCountry('de')], variants: variants(250, 750) },
          { ...rollout('10'), variants: variants(1000) },
        ],
      },
      {
        name: 'overridden',
        strategies: [rollout('50')],
        variants: variants(900, 100).map((variant, index) =>
          index === 1 ? { ...variant, overrides: [{ contextName: 'country', values: ['de'] }] } : variant,
        ),
      },
    )
    expect(await verdictsOf(unleashFormat, exported)).toEqual({
      one: 'by-rollout',
      two: 'by-rollout',
      rest: 'by-rollout',
      variants: 'by-rollout',
      both: 'by-rollout',
      mixed: 'by-rollout',
      overridden: 'by-rollout',
    })
  })

  it('of `fractional` rules equal those of flagd', async () => {
    const flag = (targeting: object) => ({
      state: 'ENABLED',
      variants: { a: 'A', b: 'B', c: 'C' },
      defaultVariant: 'c',
      targeting,
    })
    const exported = {
      flags: {
        plain: flag({
          fractional: [
            ['a', 10],
            ['b', 90],
          ],
        }),
        weightless: flag({ fractional: [['a'], ['b'], ['c']] }),
        byEmail: flag({ fractional: [{ var: 'email' }, ['a', 1], ['b', 3]] }),
        chained: flag({
          if: [
            { in: [{ var: 'country' }, ['de']] },
            {
              fractional: [
                ['a', 50],
                [null, 50],
              ],
            },
            'b',
          ],
        }),
        joined: flag({
          fractional: [{ cat: [{ var: '$flagd.flagKey' }, { var: 'targetingKey' }] }, ['a', 30], ['b', 70]],
        }),
      },
    }
    expect(await verdictsOf(flagdFormat, exported)).toEqual({
      plain: 'by-rollout',
      weightless: 'by-rollout',
      byEmail: 'by-rollout',
      chained: 'by-rollout',
      joined: 'by-rollout',
    })
  })

  it('of rules and segments equal those of the reference API', async () => {
    const config = (variations: object[], rolloutOptions = {}) => ({
      test: {
        on: true,
        salt: 'their-salt',
        rules: [],
        fallthrough: { rollout: { contextKind: 'user', variations, ...rolloutOptions } },
        offVariation: 0,
      },
    })
    const halves = [
      { variation: 0, weight: 50_000 },
      { variation: 1, weight: 50_000 },
    ]
    const flag = (key: string, environments: object) => ({
      key,
      variations: [{ value: 'a' }, { value: 'b' }],
      environments,
    })
    const clauses = [
      { _id: 'c', attribute: '', op: 'segmentMatch', values: ['third'], negate: false, contextKind: 'user' },
    ]
    const exported = [
      flag('halves', config(halves)),
      flag('by-country', config(halves, { bucketBy: 'country' })),
      flag('experiment', config(halves, { kind: 'experiment', seed: 61, bucketBy: 'country' })),
      flag('segment', {
        test: { ...config(halves).test, fallthrough: { variation: 0 }, rules: [{ _id: 'r', variation: 1, clauses }] },
      }),
      {
        key: 'third',
        included: [],
        rules: [{ _id: 's', clauses: [], weight: 33_000 }],
        _links: { self: { href: '/api/v2/segments/web/test/third' } },
      },
    ]
    expect(await verdictsOf(referenceFormat, exported)).toEqual({
      halves: 'by-rollout',
      'by-country': 'by-rollout',
      experiment: 'by-rollout',
      segment: 'by-rollout',
    })
  })
})

it('a flag with other percentages in its rollout is reported as different', async () => {
  const exported = unleash({ name: 'one', strategies: [rollout('30')] })
  const withOtherShares = (importedProject: ImportedProject): ImportedProject => ({
    ...importedProject,
    flags: importedProject.flags.map((flag) => ({
      ...flag,
      configs: Object.fromEntries(
        Object.entries(flag.configs).map(([name, config]) => [name, { ...config, fallthrough: rolloutOf(35_000) }]),
      ),
    })),
  })
  const rolloutOf = (weight: number) => ({
    rollout: {
      contextKind: 'user',
      variations: [
        { variation: 0, weight },
        { variation: 1, weight: 100_000 - weight },
      ],
    },
  })
  expect(await verdictsOf(unleashFormat, exported, withOtherShares)).toEqual({ one: 'differs' })
})

it('a flag with a lost rule is reported as different', async () => {
  const exported = unleash({
    name: 'one',
    strategies: [{ name: 'default', parameters: {}, constraints: [inCountry('de')] }],
  })
  const withoutRule = (importedProject: ImportedProject): ImportedProject => ({
    ...importedProject,
    flags: importedProject.flags.map((flag) => ({
      ...flag,
      configs: { production: { ...Object.values(flag.configs)[0]!, fallthrough: { variation: 0 } } },
    })),
  })
  expect(await verdictsOf(unleashFormat, exported, withoutRule)).toEqual({ one: 'differs' })
})
