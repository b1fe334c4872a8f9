import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newEnvironment } from './projects.ts'

async function newSegment(context: ExampleContext, overrides: object = {}): Promise<Record<string, string>> {
  const environmentParams = await newEnvironment(context)
  const segmentKey = context.newKey()
  await context.call('createSegment', {
    params: environmentParams,
    body: { key: segmentKey, name: 'Beta users', ...overrides },
  })
  return { ...environmentParams, segmentKey }
}

const newBigSegment = (context: ExampleContext) => newSegment(context, { unbounded: true })

async function newTarget(context: ExampleContext) {
  const params = await newSegment(context)
  await context.call('patchSegment', { params, body: [{ op: 'add', path: '/included/-', value: 'user-1' }] })
  return params
}

const futureTime = Date.UTC(2100, 0, 1)
const addExpiringTarget = { kind: 'addExpiringTarget', targetType: 'included', contextKey: 'user-1', value: futureTime }

async function newExpiringTarget(context: ExampleContext) {
  const params = await newTarget(context)
  await context.call('patchExpiringTargetsForSegment', { params, body: { instructions: [addExpiringTarget] } })
  return params
}

async function newExport(context: ExampleContext) {
  const params = await newBigSegment(context)
  await context.call('updateBigSegmentTargets', { params, body: { included: { add: ['user-1', 'user-2'] } } })
  const { id } = await context.call<{ id: string }>('createBigSegmentExport', { params })
  return { params: { ...params, exportId: id } }
}

export const segmentExamples: ExampleMakers = {
  listSegments: async (context) => {
    const { segmentKey: _, ...params } = await newSegment(context)
    return { params, query: { limit: '5' } }
  },
  createSegment: async (context) => ({
    params: await newEnvironment(context),
    body: { key: context.newKey(), name: 'Beta users', description: 'Who goes first', tags: ['example'] },
  }),
  getSegment: async (context) => {
    const params = await newSegment(context)
    const rule = { clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.com'] }] }
    await context.call('patchSegment', { params, body: [{ op: 'add', path: '/rules/-', value: rule }] })
    return { params }
  },
  patchSegment: async (context) => {
    const params = await newSegment(context)
    return {
      params,
      mediaType: 'application/json; domain-model=svc.semanticpatch',
      body: {
        environmentKey: params.environmentKey,
        instructions: [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['user-1'] }],
      },
    }
  },
  deleteSegment: async (context) => ({ params: await newSegment(context) }),
  updateBigSegmentTargets: async (context) => ({
    params: await newBigSegment(context),
    body: { included: { add: ['user-1', 'user-2'] }, excluded: { add: ['user-3'] } },
  }),
  updateBigSegmentContextTargets: async (context) => ({
    params: await newSegment(context, { unbounded: true, unboundedContextKind: 'organization' }),
    body: { included: { add: ['org-1'] } },
  }),
  getSegmentMembershipForUser: async (context) => {
    const params = await newBigSegment(context)
    await context.call('updateBigSegmentTargets', { params, body: { included: { add: ['user 1'] } } })
    return { params: { ...params, userKey: 'user 1' } }
  },
  getSegmentMembershipForContext: async (context) => ({
    params: {
      ...(await newSegment(context, { unbounded: true, unboundedContextKind: 'organization' })),
      contextKey: 'org/1',
    },
  }),
  getExpiringTargetsForSegment: async (context) => ({ params: await newExpiringTarget(context) }),
  getExpiringUserTargetsForSegment: async (context) => ({ params: await newExpiringTarget(context) }),
  patchExpiringTargetsForSegment: async (context) => ({
    params: await newTarget(context),
    body: { comment: 'A trial', instructions: [addExpiringTarget] },
  }),
  patchExpiringUserTargetsForSegment: async (context) => ({
    params: await newTarget(context),
    body: {
      instructions: [{ kind: 'addExpireUserTargetDate', targetType: 'included', userKey: 'user-1', value: futureTime }],
    },
  }),
  createBigSegmentImport: async (context) => ({
    params: await newBigSegment(context),
    query: { mode: 'replace' },
    text: 'key\nuser-1\n"user, 2"\n',
    mediaType: 'text/csv',
  }),
  getBigSegmentImport: async (context) => {
    const params = await newBigSegment(context)
    const { id } = await context.call<{ id: string }>('createBigSegmentImport', {
      params,
      text: 'user-1\n',
      mediaType: 'text/csv',
    })
    return { params: { ...params, importId: id } }
  },
  createBigSegmentExport: async (context) => ({ params: await newBigSegment(context) }),
  getBigSegmentExport: newExport,
  getBigSegmentExportFile: newExport,
}

/**
 * Only the keys of big segments can be queried, imported and exported; and an export file becomes invalid when the keys
 * change.
 */
export const failingSegmentExamples: ExampleMakers = {
  createBigSegmentImport: async (context) => ({
    params: await newSegment(context),
    text: 'user-1\n',
    mediaType: 'text/csv',
  }),
  createBigSegmentExport: async (context) => ({ params: await newSegment(context) }),
  getBigSegmentExportFile: async (context) => {
    const exportExample = await newExport(context)
    await context.call('updateBigSegmentTargets', {
      params: exportExample.params,
      body: { included: { add: ['user-9'] } },
    })
    return exportExample
  },
  getSegmentMembershipForUser: async (context) => ({ params: { ...(await newSegment(context)), userKey: 'user-1' } }),
  getSegmentMembershipForContext: async (context) => ({
    params: { ...(await newSegment(context)), contextKey: 'org-1' },
  }),
}
