import { flagsmithFormat } from '@halyard/import'
import { describe, expect, it } from 'vitest'
import { contentOf, importedEngine, readExport, runImport, verdictsOf } from './run-import.ts'

const document = 'flagsmith-environment.json'

describe('an environment document', () => {
  it('evaluates after the import as it did in Flagsmith', async () => {
    const { ask, api } = await importedEngine(flagsmithFormat, document, 'production')
    const tester = { email: 'kim@octo.example' }
    expect(ask('checkout', {})).toBe(false)
    expect(ask('checkout', tester)).toBe(true)
    expect(ask('checkout', { ...tester, country: 'it' })).toBe(true)
    expect(ask('checkout', { ...tester, country: 'de' })).toBe(false)
    expect(ask('checkout', { version: '2.0.0' })).toBe(true)
    expect(ask('checkout', { version: '2.0.0-rc.1' })).toBe(false)
    expect(ask('banner-colour', {})).toBe('red')
    expect(ask('banner-colour', tester)).toBe('blue')
    // For this identity, an override turns the feature off.
    expect(ask('banner-colour', { ...tester, key: 'ann' })).toBe('')
    // The feature is off, and would serve its value.
    expect(ask('old_menu', {})).toBe('')
    const banner = await api.getFlag({ projectKey: 'shop', flagKey: 'banner-colour' })
    expect(banner).toMatchObject({
      name: 'banner colour',
      clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: false },
      variations: [{ value: 'red' }, { value: 'blue' }, { value: '', name: 'off' }],
    })
    const menu = await api.getFlag({ projectKey: 'shop', flagKey: 'old_menu' })
    expect(menu.environments?.production).toMatchObject({ on: false, fallthrough: { variation: 0 }, offVariation: 1 })
    const price = await api.getFlag({ projectKey: 'shop', flagKey: 'price' })
    expect(price.variations.map(({ value }) => value)).toEqual([10, 12, 15, 0])
    expect(price.environments?.production?.fallthrough?.rollout?.variations).toEqual([
      { variation: 1, weight: 30_000 },
      { variation: 2, weight: 20_000 },
      { variation: 0, weight: 50_000 },
    ])
    const testers = { projectKey: 'shop', environmentKey: 'production', segmentKey: 'Beta-testers' }
    expect(await api.getSegment(testers)).toMatchObject({ name: 'Beta testers' })
  })

  it('reports a loss for each flag and segment that is not imported exactly', async () => {
    const { losses } = await readExport(flagsmithFormat, document)
    expect(losses.map(({ flag, segment, what, affects }) => [flag ?? segment, what, affects])).toEqual([
      ['A-tenth', 'which contexts are in a percentage split', 'shares'],
      ['Even-ids', 'a condition MODULO', 'values'],
      [undefined, 'property amplitude_config', 'nothing'],
      ['banner-colour', 'the name "banner colour"', 'values'],
      ['price', 'which contexts receive which variant', 'shares'],
      ['new_search', 'an override of a segment that differs', 'shares'],
      ['even', 'an override of a segment that differs', 'values'],
    ])
  })

  it('is imported with the percentages that the Flagsmith SDK serves', async () => {
    expect(await verdictsOf('flagsmith', document, 300)).toEqual({
      checkout: ['same'],
      'banner-colour': ['same'],
      price: ['by-rollout'],
      new_search: ['by-rollout'],
      even: ['same'],
      old_menu: ['same'],
    })
  })

  it('is written by the first import, and a second import changes nothing', async () => {
    const { written, write } = await importedEngine(flagsmithFormat, document, 'production')
    expect(written).toEqual({
      flags: { created: 6, changed: 0, unchanged: 0 },
      segments: { created: 5, changed: 0, unchanged: 0, deleted: 0 },
      refused: [],
    })
    expect(await write()).toEqual({
      flags: { created: 0, changed: 0, unchanged: 6 },
      segments: { created: 0, changed: 0, unchanged: 5, deleted: 0 },
      refused: [],
    })
  })

  it('is combined with documents of other environments, and one environment can be selected', () => {
    const environmentDocument = contentOf(document)
    const documents = [environmentDocument, { ...environmentDocument, name: 'Staging' }]
    const both = flagsmithFormat.read([documents], {})
    expect(both.ok && both.importedProject.environments).toEqual([
      { key: 'production', name: 'Production' },
      { key: 'staging', name: 'Staging' },
    ])
    const staging = flagsmithFormat.read(documents, { environmentKey: 'staging' })
    expect(staging.ok && staging.importedProject.environments).toEqual([{ key: 'staging', name: 'Staging' }])
    expect(flagsmithFormat.read([environmentDocument, { ...environmentDocument, name: undefined }], {})).toMatchObject({
      ok: false,
      at: '/1/name',
    })
  })

  it('is refused with the position of an invalid value', async () => {
    const refused = async (exported: unknown) => (await runImport(['flagsmith', '-'], JSON.stringify(exported))).err
    const states = [{ feature: { id: 1, name: 'a' }, enabled: 'yes' }]
    expect(await refused({ project: {}, feature_states: states })).toMatch('/feature_states/0/enabled must be boolean')
    expect(await refused({ project: {} })).toMatch('/feature_states must be present')
    expect(await refused([{ name: 'a' }])).toMatch('/0/enabled must be present')
  })
})

describe('a feature export', () => {
  it('is imported into the requested environment', async () => {
    const { flags, environments } = await readExport(flagsmithFormat, 'flagsmith-features.json', 'test')
    expect(environments).toEqual([{ key: 'test', name: 'test' }])
    expect(flags).toMatchObject([
      { key: 'checkout', variations: [{ value: true }, { value: false }] },
      {
        key: 'greeting',
        variations: [{ value: 'hello' }, { value: 'good day' }, { value: '', name: 'off' }],
        clientSideAvailability: { usingEnvironmentId: false },
        configs: { test: { on: true, fallthrough: { variation: 1 } } },
      },
    ])
    expect(await verdictsOf('flagsmith', 'flagsmith-features.json', 20)).toEqual({
      checkout: ['same'],
      greeting: ['same'],
    })
  })
})
