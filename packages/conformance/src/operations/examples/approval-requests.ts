import type { Example, ExampleContext, ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'
import { newEnvironment, newProject } from './projects.ts'

const turnOn = {
  description: 'Launch the new checkout',
  instructions: [{ kind: 'turnFlagOn' }],
}

async function newFlagParams(context: ExampleContext): Promise<Record<string, string>> {
  return { ...(await newFlag(context)), environmentKey: 'production' }
}

function resourceIdOf({ projectKey, environmentKey, flagKey }: Record<string, string>): string {
  return `proj/${projectKey}:env/${environmentKey}:flag/${flagKey}`
}

/** Creates an approval request for a new flag, and returns all parameters that its paths contain. */
async function newRequest(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newFlagParams(context)
  const { _id } = await context.call<{ _id: string }>('createApprovalRequestForFlag', { params, body: turnOn })
  return { ...params, id: _id }
}

/** Creates an approval request that is approved. */
async function newApprovedRequest(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newFlagParams(context)
  const { projectKey = '', environmentKey = '' } = params
  const settings = { environmentKey, canReviewOwnRequest: true }
  await context.call('patchApprovalRequestSettings', { params: { projectKey }, body: settings })
  const { _id } = await context.call<{ _id: string }>('createApprovalRequestForFlag', { params, body: turnOn })
  await context.call('reviewApprovalRequest', { params: { id: _id }, body: { kind: 'approve' } })
  return { ...params, id: _id }
}

async function newAppliedRequest(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newApprovedRequest(context)
  await context.call('applyApprovalRequest', { params, body: {} })
  return params
}

/** Uses the example for both paths: the one with the id alone, and the one under the flag. */
function forBothPaths(id: string, makeExample: (context: ExampleContext) => Promise<Example>): ExampleMakers {
  return { [id]: makeExample, [`${id}ForFlag`]: makeExample }
}

export const approvalRequestExamples: ExampleMakers = {
  ...forBothPaths('listApprovalRequests', async (context) => ({
    params: await newRequest(context),
    query: {
      limit: '2',
      expand: 'flag,project,environments',
      filter: 'reviewStatus anyOf [pending], status anyOf [pending], resourceKind equals flag',
    },
  })),
  createApprovalRequest: async (context) => ({
    body: { ...turnOn, comment: 'please', resourceId: resourceIdOf(await newFlagParams(context)) },
  }),
  createApprovalRequestForFlag: async (context) => ({ params: await newFlagParams(context), body: turnOn }),
  createFlagCopyApprovalRequest: async (context) => {
    const { projectKey = '', flagKey = '' } = await newFlag(context)
    const body = { environmentKey: 'test', instructions: [{ kind: 'turnFlagOn' }] }
    const mediaType = 'application/json; domain-model=svc.semanticpatch'
    await context.call('patchFlag', { params: { projectKey, flagKey }, mediaType, body })
    return {
      params: { projectKey, flagKey, environmentKey: 'production' },
      body: { description: 'As tested', source: { key: 'test' }, excludedActions: ['updateTargets'] },
    }
  },
  ...forBothPaths('getApprovalRequest', async (context) => ({
    params: await newRequest(context),
    query: { expand: 'flag,project,environments' },
  })),
  ...forBothPaths('patchApprovalRequest', async (context) => ({
    params: await newRequest(context),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { instructions: [{ kind: 'updateDescription', value: 'Launch it on Monday' }] },
  })),
  ...forBothPaths('reviewApprovalRequest', async (context) => ({
    params: await newRequest(context),
    body: { kind: 'comment', comment: 'Has every team been notified?' },
  })),
  ...forBothPaths('applyApprovalRequest', async (context) => ({
    params: await newApprovedRequest(context),
    body: { comment: 'approved by all' },
  })),
  ...forBothPaths('deleteApprovalRequest', async (context) => ({ params: await newRequest(context) })),
  getApprovalRequestSettings: async (context) => ({
    params: await newProject(context),
    query: { resourceKind: 'segment', environmentKey: 'production' },
  }),
  patchApprovalRequestSettings: async (context) => {
    const { projectKey, environmentKey } = await newEnvironment(context)
    return { params: { projectKey }, body: { environmentKey, required: true, minNumApprovals: 2 } }
  },
}

/** A request that was applied cannot be deleted. */
export const failingApprovalRequestExamples: ExampleMakers = forBothPaths('deleteApprovalRequest', async (context) => ({
  params: await newAppliedRequest(context),
}))
