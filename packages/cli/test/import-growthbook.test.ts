import { growthbookFormat } from '@halyard/import'
import { describe, expect, it } from 'vitest'
import { compareExport } from '../../import/src/test/compare-export.ts'
import { contentOf, exported, importedEngine, readExport, runImport } from './run-import.ts'

const payload = 'growthbook-payload.json'

describe('an SDK payload', () => {
  it('evaluates after the import as it did in GrowthBook', async () => {
    const { ask, api } = await importedEngine(growthbookFormat, payload, 'production')
    // A missing age counts as 0, and a missing country is not in the list.
    expect(ask('checkout', { key: 'ann' })).toBe(false)
    expect(ask('checkout', { key: 'ann', age: 20 })).toBe(true)
    expect(ask('checkout', { beta: true, age: 17, country: 'fr' })).toBe(true)
    expect(ask('checkout', { beta: true, age: 17, country: 'us' })).toBe(false)
    expect(ask('theme', { plan: 'silver' })).toBe('dark')
    expect(ask('theme', { plan: 'gold' })).toBe('plain')
    expect(ask('limits', { address: { city: 'Rome' } })).toEqual({ max: 20 })
    expect(ask('limits', {})).toEqual({ max: 10 })
    expect(ask('one-click', { key: 'ann', age: 20 })).toBe(true)
    expect(ask('one-click', { key: 'ann' }, 'my own')).toBe('my own')
    const { variations, environments } = await api.getFlag({ projectKey: 'shop', flagKey: 'theme' })
    expect(variations.map(({ name, value }) => [name, value])).toEqual([
      [undefined, 'plain'],
      ['Dark', 'dark'],
      ['Loud', 'loud'],
    ])
    expect(environments?.production?.rules?.[0]?.rollout).toEqual({
      variations: [
        { variation: 0, weight: 50_000 },
        { variation: 1, weight: 30_000 },
        { variation: 2, weight: 20_000 },
      ],
      contextKind: 'user',
      bucketBy: 'company.id',
    })
    const checkout = await api.getFlag({ projectKey: 'shop', flagKey: 'checkout' })
    expect(checkout.environments?.production?.fallthrough?.rollout?.variations).toEqual([
      { variation: 0, weight: 25_000 },
      { variation: 1, weight: 75_000 },
    ])
    const staff = await api.getSegment({ projectKey: 'shop', environmentKey: 'production', segmentKey: 'grp_staff' })
    expect(staff.rules[0]?.clauses[0]).toMatchObject({ attribute: 'key', op: 'in', values: ['ann', 'bob'] })
  })

  it('reports a loss for each flag that is not imported exactly', async () => {
    const { losses, flags } = await readExport(growthbookFormat, payload)
    const lossesOf = (key: string) =>
      losses.filter(({ flag }) => flag === key).map(({ what, affects }) => [what, affects])
    expect(flags.map(({ key }) => key)).toEqual(['checkout', 'theme', 'one-click', 'limits', 'banner'])
    expect(lossesOf('checkout')).toEqual([['which contexts are in which share', 'shares']])
    expect(lossesOf('theme')).toEqual([
      ['which contexts are in which share', 'shares'],
      ['experiment Theme test', 'nothing'],
    ])
    expect(lossesOf('one-click')).toEqual([['operator $size', 'values']])
    expect(lossesOf('limits')).toEqual([])
    expect(lossesOf('banner')).toEqual([
      ['a comparison of versions', 'values'],
      ['a rule where the flag theme has a value', 'values'],
      ['which contexts are in which share', 'shares'],
      ['experiment banner-test', 'nothing'],
      ['namespace or filter of experiment banner-test', 'shares'],
    ])
    expect(losses.filter(({ flag }) => flag === undefined).map(({ what }) => what)).toEqual([
      'the feature mixed, whose values are of several types',
    ])
  })

  it('is imported with the percentages that the GrowthBook SDK serves', async () => {
    const people = Array.from({ length: 200 }, (_, index) => ({
      kind: 'user',
      key: `person-${index}`,
      age: 30,
      plan: 'gold',
      'company.id': `company-${index}`,
    }))
    const { comparisons } = await compareExport(growthbookFormat, [contentOf(payload)], {
      contexts: people,
      sampled: 0,
      written: true,
    })
    expect(comparisons.map(({ flag, verdict }) => [flag, verdict])).toEqual([
      ['checkout', 'by-rollout'],
      ['theme', 'by-rollout'],
      ['one-click', 'by-rollout'],
      ['limits', 'same'],
      ['banner', 'by-rollout'],
    ])
  })

  it('is written by the first import, and a second import changes nothing', async () => {
    const { written, write } = await importedEngine(growthbookFormat, payload, 'production')
    expect(written).toEqual({
      flags: { created: 5, changed: 0, unchanged: 0 },
      segments: { created: 5, changed: 0, unchanged: 0, deleted: 0 },
      refused: [],
    })
    expect(await write()).toEqual({
      flags: { created: 0, changed: 0, unchanged: 5 },
      segments: { created: 0, changed: 0, unchanged: 5, deleted: 0 },
      refused: [],
    })
  })

  it('is refused with the position of an invalid value', async () => {
    const refused = async (exported: unknown) => (await runImport(['growthbook', '-'], JSON.stringify(exported))).err
    expect(await refused({ encryptedFeatures: 'x' })).toMatch('/encryptedFeatures must be decrypted first')
    expect(await refused({ features: { a: { rules: [{ weights: ['x'] }] } } })).toMatch('/features/a/rules/0/weights/0')
    expect(await refused('features')).toMatch('must contain features')
  })
})

describe('pages of the management API', () => {
  const pages = 'growthbook-features.json'

  it('are imported with several environments and with saved groups', async () => {
    const { ask, api, moved } = await importedEngine(growthbookFormat, pages, 'production')
    expect(moved.environments.map(({ key }) => key)).toEqual(['production', 'dev'])
    expect(ask('checkout', { email: 'kim@octo.example' })).toBe(true)
    expect(ask('checkout', { email: 'kim@octo.example.com' })).toBe(false)
    const checkout = await api.getFlag({ projectKey: 'shop', flagKey: 'checkout' })
    expect(checkout).toMatchObject({ description: 'The new checkout', tags: ['web', 'team-growth'] })
    expect(checkout.environments?.dev).toMatchObject({ on: false, fallthrough: { variation: 0 } })
    const limit = await api.getFlag({ projectKey: 'shop', flagKey: 'limit' })
    expect(limit).toMatchObject({ archived: true, variations: [{ value: 7 }, { value: 0, name: 'unused' }] })
    expect(moved.losses.map(({ flag, what }) => [flag, what])).toEqual([
      ['checkout', 'owner ann@octo.example'],
      ['checkout', 'property customFields'],
      ['limit', 'project prj_1'],
      ['checkout', 'a rule of an environment that is off'],
    ])
  })

  it('can be limited to one environment', async () => {
    const { environments, flags } = await readExport(growthbookFormat, pages, 'dev')
    expect(environments).toEqual([{ key: 'dev', name: 'dev' }])
    expect(flags.map(({ key }) => key)).toEqual(['checkout'])
    const { err } = await runImport(['growthbook', exported(pages), '--environment', 'test'])
    expect(err).toMatch('must contain features of the environment test')
  })
})
