import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it, onTestFinished } from 'vitest'
import { readGrowthbook } from './growthbook/read-growthbook.ts'
import { writeProject } from './write-project.ts'

const environment = { projectKey: 'shop', environmentKey: 'production' }

/** A project into which exports of one feature are imported. */
async function emptyProject() {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.UTC(2026, 1, 1) })
  onTestFinished(() => engine.close())
  const api = engine.as({ role: 'owner' })
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  const writeOptions = { signal: new AbortController().signal, onProgress: () => {} }
  return {
    api,
    /** Imports the feature `banner`, which is on for the contexts that a condition matches. */
    async write(condition: object, environmentKey?: string) {
      const rules = [{ condition, force: true }]
      const read = readGrowthbook([{ features: { banner: { defaultValue: false, rules } } }], { environmentKey })
      if (!read.ok) throw new Error(read.reason)
      return writeProject(read.importedProject, { api, projectKey: 'shop' }, writeOptions)
    },
    keys: async (environmentKey = 'production') =>
      (await api.listSegments({ projectKey: 'shop', environmentKey })).items.map(({ key }) => key),
    patch: (segmentKey: string, path: string, value: unknown) =>
      api.patchSegment({ ...environment, segmentKey, body: [{ op: 'add', path, value }] }),
  }
}

const notIn = (...countries: string[]) => ({ country: { $nin: countries } })
const plain = { country: 'de' }

it('a segment is deleted when the rules of a changed export no longer refer to it, and the next import changes nothing', async () => {
  const { write, keys } = await emptyProject()
  expect((await write(notIn('de', 'fr'))).segments).toMatchObject({ created: 1, deleted: 0 })
  const [before] = await keys()
  expect((await write(notIn('it'))).segments).toMatchObject({ created: 1, deleted: 1 })
  const after = await keys()
  expect(after).toHaveLength(1)
  expect(after).not.toContain(before)
  expect((await write(notIn('it'))).segments).toEqual({ created: 0, changed: 0, unchanged: 1, deleted: 0 })
  expect((await write(plain)).segments).toMatchObject({ deleted: 1 })
  expect(await keys()).toEqual([])
})

it('segments that only refer to each other are deleted together', async () => {
  const { api, write, keys } = await emptyProject()
  const neither = { $nor: [{ ...notIn('de'), plan: 'gold' }, { plan: 'free' }] }
  await write(neither)
  const { items } = await api.listSegments(environment)
  const segmentClauses = items.flatMap(({ rules }) =>
    rules.flatMap(({ clauses }) => clauses.filter(({ op }) => op === 'segmentMatch')),
  )
  expect(segmentClauses.length).toBeGreaterThan(0)
  expect((await write(plain)).segments).toMatchObject({ deleted: items.length })
  expect(await keys()).toEqual([])
})

it('a segment with another reference is kept until that reference is removed', async () => {
  const { api, write, keys } = await emptyProject()
  await write(notIn('de'))
  const [created] = (await keys()) as [string]
  const clauses = [{ attribute: '', op: 'segmentMatch' as const, values: [created] }]
  await api.createSegment({ ...environment, body: { key: 'mine', name: 'Mine' } })
  await api.patchSegment({
    ...environment,
    segmentKey: 'mine',
    body: [{ op: 'add', path: '/rules/-', value: { clauses } }],
  })
  const flag = await api.createFlag({ projectKey: 'shop', body: { key: 'other', name: 'Other' } })
  const variationId = flag.variations[0]?._id
  const body = { environmentKey: 'production', instructions: [{ kind: 'addRule', clauses, variationId }] }
  await api.patchFlag({ projectKey: 'shop', flagKey: 'other', body: body as never })
  const phasesOf = (...segmentKeys: string[]) => [
    { name: 'One', audiences: [{ environmentKey: 'production', name: 'All', segmentKeys }] },
  ]
  // The first pipeline is the default of the project, which cannot be deleted.
  await api.createReleasePipeline({ projectKey: 'shop', body: { key: 'first', name: 'First', phases: phasesOf() } })
  await api.createReleasePipeline({
    projectKey: 'shop',
    body: { key: 'usual', name: 'Usual', phases: phasesOf(created) },
  })
  const expectRetained = async () => {
    expect((await write(plain)).segments).toMatchObject({ deleted: 0 })
    expect(await keys()).toContain(created)
  }
  await expectRetained()
  await api.deleteSegment({ ...environment, segmentKey: 'mine' })
  await expectRetained()
  await api.deleteFlag({ projectKey: 'shop', flagKey: 'other' })
  await expectRetained()
  await api.deleteReleasePipeline({ projectKey: 'shop', pipelineKey: 'usual' })
  expect((await write(plain)).segments).toMatchObject({ deleted: 1 })
})

it.each<[string, string, unknown]>([
  ['rules', '/rules/0/clauses/0/values', ['at']],
  ['targets', '/included', ['ann']],
  ['description', '/description', 'Keep this one'],
  ['tags', '/tags/-', 'ours'],
])('a segment whose %s a member has changed is kept', async (_, path, value) => {
  const { write, keys, patch } = await emptyProject()
  await write(notIn('de'))
  const [created] = (await keys()) as [string]
  await patch(created, path, value)
  expect((await write(plain)).segments).toMatchObject({ deleted: 0 })
  expect(await keys()).toEqual([created])
})

it('a segment that a member created is kept, whatever its tag', async () => {
  const { api, write, keys } = await emptyProject()
  await write(notIn('de'))
  const [created] = (await api.listSegments(environment)).items
  const { description, tags } = created ?? {}
  await api.createSegment({
    ...environment,
    body: { key: 'of-germany-0123abcd', name: 'Of Germany', description, tags },
  })
  await write(plain)
  expect(await keys()).toEqual(['of-germany-0123abcd'])
})

it('segments of environments that the export does not contain are kept', async () => {
  const { write, keys } = await emptyProject()
  await write(notIn('de'), 'test')
  await write(notIn('de'), 'production')
  expect((await write(plain, 'production')).segments).toMatchObject({ deleted: 1 })
  expect(await keys('test')).toHaveLength(1)
  expect(await keys('production')).toEqual([])
})

it('segments whose deletion needs approval are kept, and reported', async () => {
  const { api, write, keys } = await emptyProject()
  await write(notIn('de'))
  const approvalSettings = { required: true, requiredApprovalTags: ['made-by-import'] }
  const body = { environmentKey: 'production', resourceKind: 'segment', ...approvalSettings } as const
  await api.patchApprovalRequestSettings({ projectKey: 'shop', body })
  const { segments, refused } = await write(plain)
  const [created] = await keys()
  expect(segments).toMatchObject({ deleted: 0 })
  expect(refused).toEqual([
    { what: `segment ${created} in production`, why: expect.stringContaining('requires approval') },
  ])
})
