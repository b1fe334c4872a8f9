import type { DeletableTarget } from './deletable-targets.ts'
import { newOAuthGrant } from './oauth-documents.ts'
import type { ReferenceAccount } from './reference-account.ts'

/** Makes everything that belongs to a target and that the deletion of the target removes. */
export async function addBelongingDocuments(account: ReferenceAccount, { keys }: DeletableTarget): Promise<void> {
  const { call, engine } = account
  // The tokens of a grant are created together with the grant, so nothing has to be added.
  if ('grantId' in keys) return
  if (keys.clientId !== undefined) return void (await newOAuthGrant(account, keys.clientId))
  const {
    projectKey = '',
    environmentKey = 'production',
    flagKey = 'host',
    segmentKey = 'hosts',
    viewKey = 'all',
    configKey = 'assistant',
  } = keys
  const project = { projectKey }
  const environment = { projectKey, environmentKey }
  const ensure = (id: string, input: object, key: string) => Object.values(keys).includes(key) || call(id, input)
  await ensure('createFlag', { ...project, body: { key: flagKey, name: 'x' } }, flagKey)
  await ensure('createSegment', { ...environment, body: { key: segmentKey, name: 'x' } }, segmentKey)
  await ensure('createView', { ...project, body: { key: viewKey, name: 'x' } }, viewKey)
  await call('putFlagFollower', { ...environment, flagKey, memberId: account.ownerId })
  await call('createFlagTrigger', { ...environment, flagKey, body: { integrationKey: 'generic-trigger' } })
  const address = `proj/${projectKey}:env/${environmentKey}`
  const request = { description: 'x', instructions: [{ kind: 'turnFlagOn' }] }
  await call('createApprovalRequest', { body: { ...request, resourceId: `${address}:flag/${flagKey}` } })
  const instructions = [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['ann'] }]
  await call('createApprovalRequest', {
    body: { ...request, instructions, resourceId: `${address}:segment/${segmentKey}` },
  })
  const defaultVariation = { key: 'short', name: 'x' }
  await ensure('createAIConfig', { ...project, body: { key: configKey, name: 'x', defaultVariation } }, configKey)
  await call('createAIConfigVariation', { ...project, configKey, body: { key: 'served', name: 'x' } })
  await call('createApprovalRequest', { body: { ...request, resourceId: `${address}:aiconfig/${configKey}` } })
  const renaming = [{ kind: 'updateAIConfig', name: 'y' }]
  await call('createApprovalRequest', {
    body: { ...request, instructions: renaming, resourceId: `proj/${projectKey}:aiconfig/${configKey}` },
  })
  const view = { ...project, viewKey }
  await call('linkResource', { ...view, resourceType: 'flags', body: { keys: [flagKey] } })
  const { _id: environmentId } = await call('getEnvironment', environment)
  const segmentIdentifiers = [{ environmentId, segmentKey }]
  await call('linkResource', { ...view, resourceType: 'segments', body: { segmentIdentifiers } })
  const event = {
    ...environment,
    applicationKey: 'shop',
    version: '1',
    eventType: 'started',
    eventTime: Date.UTC(2026, 0, 1),
  }
  await call('createDeploymentEvent', { body: event })
  await call('createInsightGroup', { body: { ...environment, key: 'group', name: 'x', applicationKeys: ['shop'] } })
  const audiences = [{ environmentKey: environmentKey === 'production' ? 'production' : 'test', name: 'All' }]
  const phases = [{ name: 'One', audiences }]
  await call('createReleasePipeline', { ...project, body: { key: 'pipeline', name: 'x', phases } })
  await call('putRelease', { ...project, flagKey, body: { releasePipelineKey: 'pipeline' } })
  await call('createRepository', { body: { name: 'repo', type: 'custom', defaultBranch: 'main' } })
  const hunks = [projectKey, 'web'].map((projKey) => ({ startingLineNumber: 1, lines: 'x', projKey, flagKey }))
  const branch = { name: 'main', head: 'abc', syncTime: 1, references: [{ path: 'a.ts', hunks }] }
  await call('putBranch', { repo: 'repo', branch: 'main', body: branch })
  const extinction = { revision: 'abc', message: 'x', time: 1, flagKey, projKey: projectKey }
  await call('createExtinctions', { repo: 'repo', branch: 'main', body: [extinction] })
  const evaluator = engine.evaluator(environment)
  await evaluator.ready()
  evaluator.evaluate(flagKey as never, { kind: 'user', key: 'ann' }, false as never)
  await engine.runDueTasks().catch(() => undefined)
  await engine.sdk.flush()
}
