import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it, onTestFinished } from 'vitest'
import { readGrowthbook } from './growthbook/read-growthbook.ts'
import { ownerApi } from './owner-api.ts'
import { writeMoved } from './write-moved.ts'

const place = { projectKey: 'shop', environmentKey: 'production' }

/** A project into which exports of one feature are imported. */
async function importing() {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.UTC(2026, 1, 1) })
  onTestFinished(() => engine.close())
  const api = ownerApi(engine)
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  const watch = { signal: new AbortController().signal, at: () => {} }
  return {
    api,
    /** Imports the feature `banner`, which is on for the contexts that a condition matches. */
    async write(condition: object, environmentKey?: string) {
      const rules = [{ condition, force: true }]
      const read = readGrowthbook([{ features: { banner: { defaultValue: false, rules } } }], { environmentKey })
      if (!read.ok) throw new Error(read.reason)
      return writeMoved(read.moved, { api, projectKey: 'shop' }, watch)
    },
    keys: async (environmentKey = 'production') =>
      (await api.listSegments({ projectKey: 'shop', environmentKey })).items.map(({ key }) => key),
    patch: (segmentKey: string, path: string, value: unknown) =>
      api.patchSegment({ ...place, segmentKey, body: [{ op: 'add', path, value }] }),
  }
}

const outside = (...countries: string[]) => ({ country: { $nin: countries } })
const plain = { country: 'de' }

it('a segment is deleted when the rules of a changed export no longer refer to it, and the next import changes nothing', async () => {
  const { write, keys } = await importing()
  expect((await write(outside('de', 'fr'))).segments).toMatchObject({ created: 1, deleted: 0 })
  const [before] = await keys()
  expect((await write(outside('it'))).segments).toMatchObject({ created: 1, deleted: 1 })
  const after = await keys()
  expect(after).toHaveLength(1)
  expect(after).not.toContain(before)
  expect((await write(outside('it'))).segments).toEqual({ created: 0, changed: 0, unchanged: 1, deleted: 0 })
  expect((await write(plain)).segments).toMatchObject({ deleted: 1 })
  expect(await keys()).toEqual([])
})

it('segments that only refer to each other are deleted together', async () => {
  const { api, write, keys } = await importing()
  const neither = { $nor: [{ ...outside('de'), plan: 'gold' }, { plan: 'free' }] }
  await write(neither)
  const { items } = await api.listSegments(place)
  const asked = items.flatMap(({ rules }) =>
    rules.flatMap(({ clauses }) => clauses.filter(({ op }) => op === 'segmentMatch')),
  )
  expect(asked.length).toBeGreaterThan(0)
  expect((await write(plain)).segments).toMatchObject({ deleted: items.length })
  expect(await keys()).toEqual([])
})

it('a segment with another reference is kept until that reference is removed', async () => {
  const { api, write, keys } = await importing()
  await write(outside('de'))
  const [made] = (await keys()) as [string]
  const clauses = [{ attribute: '', op: 'segmentMatch' as const, values: [made] }]
  await api.createSegment({ ...place, body: { key: 'mine', name: 'Mine' } })
  await api.patchSegment({ ...place, segmentKey: 'mine', body: [{ op: 'add', path: '/rules/-', value: { clauses } }] })
  const flag = await api.createFlag({ projectKey: 'shop', body: { key: 'other', name: 'Other' } })
  const variationId = flag.variations[0]?._id
  const body = { environmentKey: 'production', instructions: [{ kind: 'addRule', clauses, variationId }] }
  await api.patchFlag({ projectKey: 'shop', featureFlagKey: 'other', body: body as never })
  const phasesOf = (...segmentKeys: string[]) => [
    { name: 'One', audiences: [{ environmentKey: 'production', name: 'All', segmentKeys }] },
  ]
  // The first is the default of the project, which cannot be deleted.
  await api.createReleasePipeline({ projectKey: 'shop', body: { key: 'first', name: 'First', phases: phasesOf() } })
  await api.createReleasePipeline({ projectKey: 'shop', body: { key: 'usual', name: 'Usual', phases: phasesOf(made) } })
  const kept = async () => {
    expect((await write(plain)).segments).toMatchObject({ deleted: 0 })
    expect(await keys()).toContain(made)
  }
  await kept()
  await api.deleteSegment({ ...place, segmentKey: 'mine' })
  await kept()
  await api.deleteFlag({ projectKey: 'shop', featureFlagKey: 'other' })
  await kept()
  await api.deleteReleasePipeline({ projectKey: 'shop', pipelineKey: 'usual' })
  expect((await write(plain)).segments).toMatchObject({ deleted: 1 })
})

it.each<[string, string, unknown]>([
  ['rules', '/rules/0/clauses/0/values', ['at']],
  ['targets', '/included', ['ann']],
  ['description', '/description', 'Keep this one'],
  ['tags', '/tags/-', 'ours'],
])('a segment whose %s a member has changed is kept', async (_, path, value) => {
  const { write, keys, patch } = await importing()
  await write(outside('de'))
  const [made] = (await keys()) as [string]
  await patch(made, path, value)
  expect((await write(plain)).segments).toMatchObject({ deleted: 0 })
  expect(await keys()).toEqual([made])
})

it('a segment that a member created is kept, whatever its tag', async () => {
  const { api, write, keys } = await importing()
  await write(outside('de'))
  const [made] = (await api.listSegments(place)).items
  const { description, tags } = made ?? {}
  await api.createSegment({ ...place, body: { key: 'of-germany-0123abcd', name: 'Of Germany', description, tags } })
  await write(plain)
  expect(await keys()).toEqual(['of-germany-0123abcd'])
})

it('segments of environments that the export does not contain are kept', async () => {
  const { write, keys } = await importing()
  await write(outside('de'), 'test')
  await write(outside('de'), 'production')
  expect((await write(plain, 'production')).segments).toMatchObject({ deleted: 1 })
  expect(await keys('test')).toHaveLength(1)
  expect(await keys('production')).toEqual([])
})

it('segments whose deletion needs approval are kept, and reported', async () => {
  const { api, write, keys } = await importing()
  await write(outside('de'))
  const guard = { required: true, requiredApprovalTags: ['made-by-import'] }
  const body = { environmentKey: 'production', resourceKind: 'segment', ...guard } as const
  await api.patchApprovalRequestSettings({ projectKey: 'shop', body })
  const { segments, refused } = await write(plain)
  const [made] = await keys()
  expect(segments).toMatchObject({ deleted: 0 })
  expect(refused).toEqual([
    { what: `segment ${made} in production`, why: expect.stringContaining('requires approval') },
  ])
})
