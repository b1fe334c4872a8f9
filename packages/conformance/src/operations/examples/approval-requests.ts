import type { Example, ExampleMakers, Examples } from '../example.ts'
import { newFlag } from './flags.ts'
import { newEnvironment, newProject } from './projects.ts'

const turnOn = {
  description: 'Launch the new checkout',
  instructions: [{ kind: 'turnFlagOn' }],
}

async function newPlace(world: Examples): Promise<Record<string, string>> {
  return { ...(await newFlag(world)), environmentKey: 'production' }
}

function resourceIdOf({ projectKey, environmentKey, featureFlagKey }: Record<string, string>): string {
  return `proj/${projectKey}:env/${environmentKey}:flag/${featureFlagKey}`
}

/** Creates an approval request for a new flag, and returns all parameters that its paths contain. */
async function newRequest(world: Examples): Promise<Record<string, string>> {
  const place = await newPlace(world)
  const { _id } = await world.call<{ _id: string }>('createApprovalRequestForFlag', { params: place, body: turnOn })
  return { ...place, id: _id }
}

/** Creates an approval request that is approved. */
async function newApprovedRequest(world: Examples): Promise<Record<string, string>> {
  const place = await newPlace(world)
  const { projectKey = '', environmentKey = '' } = place
  const settings = { environmentKey, canReviewOwnRequest: true }
  await world.call('patchApprovalRequestSettings', { params: { projectKey }, body: settings })
  const { _id } = await world.call<{ _id: string }>('createApprovalRequestForFlag', { params: place, body: turnOn })
  await world.call('reviewApprovalRequest', { params: { id: _id }, body: { kind: 'approve' } })
  return { ...place, id: _id }
}

async function newAppliedRequest(world: Examples): Promise<Record<string, string>> {
  const params = await newApprovedRequest(world)
  await world.call('applyApprovalRequest', { params, body: {} })
  return params
}

/** Uses the example for both paths: the one with the id alone, and the one under the flag. */
function atBothPaths(id: string, make: (world: Examples) => Promise<Example>): ExampleMakers {
  return { [id]: make, [`${id}ForFlag`]: make }
}

export const approvalRequestExamples: ExampleMakers = {
  ...atBothPaths('listApprovalRequests', async (world) => ({
    params: await newRequest(world),
    query: {
      limit: '2',
      expand: 'flag,project,environments',
      filter: 'reviewStatus anyOf [pending], status anyOf [pending], resourceKind equals flag',
    },
  })),
  createApprovalRequest: async (world) => ({
    body: { ...turnOn, comment: 'please', resourceId: resourceIdOf(await newPlace(world)) },
  }),
  createApprovalRequestForFlag: async (world) => ({ params: await newPlace(world), body: turnOn }),
  ...atBothPaths('getApprovalRequest', async (world) => ({
    params: await newRequest(world),
    query: { expand: 'flag,project,environments' },
  })),
  ...atBothPaths('patchApprovalRequest', async (world) => ({
    params: await newRequest(world),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { instructions: [{ kind: 'updateDescription', value: 'Launch it on Monday' }] },
  })),
  ...atBothPaths('reviewApprovalRequest', async (world) => ({
    params: await newRequest(world),
    body: { kind: 'comment', comment: 'Is everybody told?' },
  })),
  ...atBothPaths('applyApprovalRequest', async (world) => ({
    params: await newApprovedRequest(world),
    body: { comment: 'approved by all' },
  })),
  ...atBothPaths('deleteApprovalRequest', async (world) => ({ params: await newRequest(world) })),
  getApprovalRequestSettings: async (world) => ({
    params: await newProject(world),
    query: { resourceKind: 'segment', environmentKey: 'production' },
  }),
  patchApprovalRequestSettings: async (world) => {
    const { projectKey, environmentKey } = await newEnvironment(world)
    return { params: { projectKey }, body: { environmentKey, required: true, minNumApprovals: 2 } }
  },
}

/** A request that was applied cannot be deleted. */
export const failingApprovalRequestExamples: ExampleMakers = atBothPaths('deleteApprovalRequest', async (world) => ({
  params: await newAppliedRequest(world),
}))
