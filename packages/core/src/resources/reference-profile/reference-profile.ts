import type { ReshapeBody, ResponseProfile } from '../../operation/response-profile.ts'
import { holdout, withExperimentDetailsAt, withMetricDetailsAt } from './experiment-differences.ts'
import { deployment, flagEvents, pullRequestsWithDeployments } from './insight-differences.ts'
import {
  phasesWithMembers,
  projectSummariesAt,
  repositoriesWithProjects,
  teamsWithRolesAt,
} from './referenced-documents.ts'
import { at, collectionOfList, inOrder, isoTime, onObject, type Reshape, withDefaults, withoutNull } from './reshape.ts'

const items = (reshape: Reshape): Reshape => at('items.*', reshape)

const same = (reshape: ReshapeBody, ids: readonly string[]): Readonly<Record<string, ReshapeBody>> =>
  Object.fromEntries(ids.map((id) => [id, reshape]))

const flag = withDefaults({ experiments: { baselineIdx: 0, items: [] } })

/** The engine does not count logins, and second factors belong to the host's own login. */
const member = withDefaults(({ _pendingInvite = false }) => ({
  _pendingInvite: false,
  _verified: _pendingInvite !== true,
  mfa: 'disabled',
  _lastSeen: 0,
}))

const logEntry = (account: string): Reshape =>
  withDefaults(({ title }) => ({ _accountId: account, shortDescription: title }))

const logPage: ReshapeBody = (body, { account }) => items(logEntry(account))(body)

/** The reference client's type of `_maintainer` has no property for teams. */
const withoutTeam = onObject(({ _maintainer: maintainer, ...rest }) =>
  (maintainer as { kind?: unknown } | undefined)?.kind === 'member' ? { ...rest, _maintainer: maintainer } : rest,
)

const metric = inOrder(at('lastModified.date', isoTime), withoutTeam)

const relatedExperiments = withExperimentDetailsAt('relatedExperiments.*')

const axis: Reshape = (unit) => ({ unit })

const chart = inOrder(at('metadata.xAxis', axis), at('metadata.yAxis', axis))

const flagStatus = inOrder(withoutNull('lastRequested'), at('lastRequested', isoTime))

/** The author of a change can be a token without a member. The type of the clients requires a maintainer. */
const scheduledChange = withDefaults({ _maintainerId: '' })

const workflowTemplate = withDefaults({ _ownerId: '', _maintainerId: '' })

const aiVariation = withDefaults({ messages: [] })

const aiConfig = at('variations.*', aiVariation)

const rollout = at('rollout', withDefaults({ contextKind: 'user' }))

const target = withDefaults({ contextKind: 'user' })

const aiTargeting = inOrder(
  withDefaults({ experiments: { baselineIdx: 0, items: [] } }),
  at('variations.*', withDefaults({ description: '' })),
  at(
    'environments.*',
    inOrder(
      at('targets.*', target),
      at('contextTargets.*', target),
      at('fallthrough', rollout),
      at('rules.*', rollout),
      at(
        'rules.*.clauses.*',
        withDefaults(({ _id }) => ({ id: _id })),
      ),
    ),
  ),
)

/** Responses contain the full key only once, but the type of the clients requires it. */
const relayConfig = withDefaults({ fullKey: '' })

const pipeline = at('createdAt', isoTime)

const teamProjects = projectSummariesAt('projects.items.*', 'roles.items.*.projects.items.*')

/** Lists settings by kind of resource, then by environment. */
function approvalSettings(list: unknown): unknown {
  const byKind: Record<string, { environments: Record<string, unknown> }> = {}
  for (const { environmentKey, ...settings } of list as readonly Readonly<Record<string, unknown>>[]) {
    const kind = (byKind[String(settings.resourceKind)] ??= { environments: {} })
    kind.environments[String(environmentKey)] = settings
  }
  return byKind
}

const releaseList = inOrder(
  items(
    onObject(({ createdAt, completedAt, ...rest }) => ({ ...rest, _createdAt: createdAt, _completedAt: completedAt })),
  ),
  at(
    'phases.*',
    onObject(({ _name, ...rest }) => ({ ...rest, name: _name })),
  ),
)

const seenContexts = items(at('lastSeen', isoTime))

const userRecord = at('lastPing', isoTime)

/**
 * Replaces the page of environments of a project by a plain list, in responses for which no page of them can be
 * requested.
 */
const projectWithAllEnvironments = at(
  'environments',
  onObject(({ items: environments }) => environments),
)

/**
 * Differences between the specification and the types that the public clients have, in addition to the type of times
 * (docs/decisions/0065-reshape-responses-for-the-public-clients.md). Constants replace values that this engine does not
 * have.
 */
export const referenceProfile: ResponseProfile = {
  queries: { patchProject: { expand: 'environments' } },
  bodies: {
    ...same(projectWithAllEnvironments, ['createProject', 'patchProject']),
    ...same(flag, ['createFlag', 'getFlag', 'patchFlag', 'copyFlag']),
    listFlags: items(flag),
    listDependentFlags: (body, { params }) =>
      withDefaults({ _site: { href: `/${params.projectKey}/features/${params.flagKey}`, type: 'text/html' } })(body),
    getFlagStatus: flagStatus,
    listFlagStatuses: items(flagStatus),
    getFlagStatusAcrossEnvironments: at('environments.*', flagStatus),
    ...same(member, ['getMember', 'patchMember', 'postMemberTeams']),
    listMembers: items(member),
    createMembers: inOrder(
      items(member),
      withDefaults({ _links: { self: { href: '/api/v2/members', type: 'application/json' } } }),
    ),
    ...same(teamProjects, ['createTeam', 'getTeam', 'patchTeam']),
    listTeams: projectSummariesAt('items.*.projects.items.*', 'items.*.roles.items.*.projects.items.*'),
    listTeamRoles: projectSummariesAt('items.*.projects.items.*'),
    ...same(aiConfig, ['createAIConfig', 'getAIConfig', 'patchAIConfig']),
    listAIConfigs: items(aiConfig),
    ...same(aiVariation, ['createAIConfigVariation', 'patchAIConfigVariation']),
    getAIConfigVariation: items(aiVariation),
    ...same(aiTargeting, ['getAIConfigTargeting', 'patchAIConfigTargeting']),
    listModelConfigs: onObject(({ items: models }) => models),
    getApprovalRequestSettings: onObject(({ items: settings }) => approvalSettings(settings)),
    patchApprovalRequestSettings: (settings) => approvalSettings([settings]),
    ...same(logPage, ['listChangeLog', 'searchChangeLog']),
    getChangeLogEntry: (body, { account }) => logEntry(account)(body),
    ...same(deployment, ['getDeployment', 'patchDeployment']),
    listDeployments: items(deployment),
    listPullRequests: pullRequestsWithDeployments,
    listFlagEvents: flagEvents,
    listInsightRepositories: repositoriesWithProjects,
    associateRepositoriesAndProjects: onObject(({ mappings }) => collectionOfList(mappings)),
    ...same(metric, ['postMetric', 'getMetric', 'patchMetric']),
    getMetrics: items(metric),
    ...same(teamsWithRolesAt('maintainer.team'), ['createMetricGroup', 'getMetricGroup', 'patchMetricGroup']),
    getMetricGroups: teamsWithRolesAt('items.*.maintainer.team'),
    ...same(withExperimentDetailsAt(''), ['createExperiment', 'getExperiment', 'patchExperiment']),
    getExperiments: withExperimentDetailsAt('items.*'),
    createIteration: withMetricDetailsAt(''),
    ...same(holdout, ['postHoldout', 'getHoldoutById', 'patchHoldout']),
    getHoldout: async (body, call) => holdout(await relatedExperiments(body, call)),
    ...same(chart, [
      'getDeploymentFrequencyChart',
      'getStaleFlagsChart',
      'getFlagStatusChart',
      'getReleaseFrequencyChart',
      'getLeadTimeChart',
    ]),
    ...same(pipeline, ['createReleasePipeline', 'getReleasePipeline', 'putReleasePipeline', 'patchReleasePipeline']),
    listReleasePipelines: items(pipeline),
    ...same(relayConfig, [
      'getRelayProxyConfig',
      'patchRelayAutoConfig',
      'postRelayAutoConfig',
      'resetRelayAutoConfig',
    ]),
    getRelayProxyConfigs: items(relayConfig),
    ...same(phasesWithMembers, ['getRelease', 'patchRelease', 'putRelease', 'putPhaseStatus']),
    listReleases: releaseList,
    ...same(scheduledChange, ['createScheduledChange', 'getScheduledChange', 'patchScheduledChange']),
    listScheduledChanges: items(scheduledChange),
    ...same(scheduledChange, ['postWorkflow', 'getCustomWorkflow']),
    getWorkflows: items(scheduledChange),
    createWorkflowTemplate: workflowTemplate,
    getWorkflowTemplates: items(workflowTemplate),
    ...same(seenContexts, ['searchContexts', 'searchContextInstances', 'getContexts', 'getContextInstances']),
    getUser: userRecord,
    ...same(items(userRecord), ['getUsers', 'getSearchUsers']),
    getBigSegmentExport: withDefaults({ initiator: {} }),
  },
}
