import type { ExampleMakers, Examples } from '../example.ts'
import { newEnvironment } from './projects.ts'

async function newSegment(world: Examples, more: object = {}): Promise<Record<string, string>> {
  const place = await newEnvironment(world)
  const segmentKey = world.fresh()
  await world.call('createSegment', { params: place, body: { key: segmentKey, name: 'Beta users', ...more } })
  return { ...place, segmentKey }
}

const newBigSegment = (world: Examples) => newSegment(world, { unbounded: true })

async function newTarget(world: Examples) {
  const params = await newSegment(world)
  await world.call('patchSegment', { params, body: [{ op: 'add', path: '/included/-', value: 'user-1' }] })
  return params
}

const farAway = Date.UTC(2100, 0, 1)
const addingDate = { kind: 'addExpiringTarget', targetType: 'included', contextKey: 'user-1', value: farAway }

async function newExpiringTarget(world: Examples) {
  const params = await newTarget(world)
  await world.call('patchExpiringTargetsForSegment', { params, body: { instructions: [addingDate] } })
  return params
}

async function newExport(world: Examples) {
  const params = await newBigSegment(world)
  await world.call('updateBigSegmentTargets', { params, body: { included: { add: ['user-1', 'user-2'] } } })
  const { id } = await world.call<{ id: string }>('createBigSegmentExport', { params })
  return { params: { ...params, exportId: id } }
}

export const segmentExamples: ExampleMakers = {
  listSegments: async (world) => {
    const { segmentKey: _, ...params } = await newSegment(world)
    return { params, query: { limit: '5' } }
  },
  createSegment: async (world) => ({
    params: await newEnvironment(world),
    body: { key: world.fresh(), name: 'Beta users', description: 'Who goes first', tags: ['example'] },
  }),
  getSegment: async (world) => {
    const params = await newSegment(world)
    const rule = { clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.com'] }] }
    await world.call('patchSegment', { params, body: [{ op: 'add', path: '/rules/-', value: rule }] })
    return { params }
  },
  patchSegment: async (world) => {
    const params = await newSegment(world)
    return {
      params,
      mediaType: 'application/json; domain-model=svc.semanticpatch',
      body: {
        environmentKey: params.environmentKey,
        instructions: [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['user-1'] }],
      },
    }
  },
  deleteSegment: async (world) => ({ params: await newSegment(world) }),
  updateBigSegmentTargets: async (world) => ({
    params: await newBigSegment(world),
    body: { included: { add: ['user-1', 'user-2'] }, excluded: { add: ['user-3'] } },
  }),
  updateBigSegmentContextTargets: async (world) => ({
    params: await newSegment(world, { unbounded: true, unboundedContextKind: 'organization' }),
    body: { included: { add: ['org-1'] } },
  }),
  getSegmentMembershipForUser: async (world) => {
    const params = await newBigSegment(world)
    await world.call('updateBigSegmentTargets', { params, body: { included: { add: ['user 1'] } } })
    return { params: { ...params, userKey: 'user 1' } }
  },
  getSegmentMembershipForContext: async (world) => ({
    params: {
      ...(await newSegment(world, { unbounded: true, unboundedContextKind: 'organization' })),
      contextKey: 'org/1',
    },
  }),
  getExpiringTargetsForSegment: async (world) => ({ params: await newExpiringTarget(world) }),
  getExpiringUserTargetsForSegment: async (world) => ({ params: await newExpiringTarget(world) }),
  patchExpiringTargetsForSegment: async (world) => ({
    params: await newTarget(world),
    body: { comment: 'A trial', instructions: [addingDate] },
  }),
  patchExpiringUserTargetsForSegment: async (world) => ({
    params: await newTarget(world),
    body: {
      instructions: [{ kind: 'addExpireUserTargetDate', targetType: 'included', userKey: 'user-1', value: farAway }],
    },
  }),
  createBigSegmentImport: async (world) => ({
    params: await newBigSegment(world),
    query: { mode: 'replace' },
    text: 'key\nuser-1\n"user, 2"\n',
    mediaType: 'text/csv',
  }),
  getBigSegmentImport: async (world) => {
    const params = await newBigSegment(world)
    const { id } = await world.call<{ id: string }>('createBigSegmentImport', {
      params,
      text: 'user-1\n',
      mediaType: 'text/csv',
    })
    return { params: { ...params, importId: id } }
  },
  createBigSegmentExport: async (world) => ({ params: await newBigSegment(world) }),
  getBigSegmentExport: newExport,
  getBigSegmentExportFile: newExport,
}

/**
 * Only the keys of big segments can be queried, imported and exported; an export file is invalid once the keys have
 * changed.
 */
export const failingSegmentExamples: ExampleMakers = {
  createBigSegmentImport: async (world) => ({
    params: await newSegment(world),
    text: 'user-1\n',
    mediaType: 'text/csv',
  }),
  createBigSegmentExport: async (world) => ({ params: await newSegment(world) }),
  getBigSegmentExportFile: async (world) => {
    const exported = await newExport(world)
    await world.call('updateBigSegmentTargets', { params: exported.params, body: { included: { add: ['user-9'] } } })
    return exported
  },
  getSegmentMembershipForUser: async (world) => ({ params: { ...(await newSegment(world)), userKey: 'user-1' } }),
  getSegmentMembershipForContext: async (world) => ({ params: { ...(await newSegment(world)), contextKey: 'org-1' } }),
}
