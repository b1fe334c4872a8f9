import fjp, { type Operation as PatchOperation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { type DescribedChange, describedChange, type ShownChange, writingOperations } from './test/described-change.ts'
import type { StoredDocument } from './test/logged-state.ts'

/** Properties that every change can change, at any depth. */
const versionsAndLinks = new Set([
  ...['_links', '_access', 'version', '_version', '_versionId'],
  ...['lastModified', '_lastModified', 'lastModifiedDate', 'updatedAt', '_updatedAt'],
])

/** The state of stages and conditions, in responses for workflows and templates. */
const stagesOfWorkflow: Readonly<Record<string, string>> = {
  '/stages/*/_execution': 'the state of the stage',
  '/stages/*/conditions/*/_execution': 'the state of the condition',
  '/stages/*/conditions/*/executionDate': 'follows from the beginning of the condition',
  '/stages/*/conditions/*/description': 'that of the approval request',
  '/stages/*/conditions/*/notifyMemberIds': 'those of the approval request',
  '/stages/*/conditions/*/notifyTeamKeys': 'those of the approval request',
  '/stages/*/conditions/*/allReviews': 'those of the approval request',
  '/stages/*/conditions/*/reviewStatus': 'that of the approval request',
  '/stages/*/conditions/*/approvalRequestId': 'a document of its own',
}

/**
 * Properties that responses compute from other documents, or from time, with the reasons. JSON Pointers; `*` is any
 * key.
 */
const computedProperties: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  environment: {
    '/apiKey': 'a secret',
    '/mobileKey': 'a secret',
  },
  'ip-allowlist': { '/totalCount': 'the number of entries' },
  'sdk-key': { '/value': 'a secret', '/isDefault': 'false for every stored SDK key' },
  flag: {
    '/_maintainer': 'the member with the id `maintainerId`',
    '/environments': 'the configurations, which follow from the flag and the environments until they are changed',
  },
  segment: {
    '/deleted': 'always false',
    '/_flags': 'the flags that target the segment',
  },
  member: { '/_pendingInvite': 'follows from the invitation, which contains a secret' },
  team: {
    '/_idpSynced': 'always false',
    '/roles/items/*/name': 'the name of the role',
    '/roles/items/*/projects': 'the projects that the role can change',
    '/maintainers': 'the members with grants',
  },
  token: {
    '/_member': 'the member with the id `memberId`',
    '/token': 'a part of the secret',
    '/lastUsed': 'not a part of the token',
  },
  'relay-config': {
    '/_creator': 'the member with the id `creatorId`',
    '/displayKey': 'a part of the secret',
    '/fullKey': 'the secret',
  },
  holdout: {
    '/status': 'follows from the experiments',
    '/isDirty': 'follows from the experiments',
    '/relatedExperiments': 'documents of their own',
  },
  'agent-graph': maintainer(),
  'agent-skill': maintainer(),
  'prompt-snippet': maintainer(),
  'ai-tool': maintainer(),
  'ai-config': {
    ...maintainer(),
    '/variations': 'documents of their own',
    '/defaults': 'shown by the response of the targeting',
  },
  'ai-config-variation': {
    '/_publishedAt': 'a time',
    '/_archivedAt': 'a time',
  },
  'ai-model-config': { '/global': 'always false' },
  'approval-request': {
    '/serviceKind': 'a setting of the environment',
    '/reviewStatus': 'follows from the reviews and the settings',
    '/approvalSettings': 'the settings of the environment',
    '/conflicts': 'follows from the resource',
    '/appliedDate': 'a time',
    '/appliedByMemberId': 'the actor of the entry',
  },
  deployment: {
    '/environmentKey': 'a part of the address',
    '/status': 'follows from the events',
    '/kind': 'follows from the events',
    '/startedAt': 'follows from the events',
    '/endedAt': 'follows from the events',
    '/active': 'follows from the other deployments',
    '/numberOfContributors': 'follows from the pull requests',
    '/numberOfPullRequests': 'follows from the pull requests',
    '/linesAdded': 'follows from the pull requests',
    '/linesDeleted': 'follows from the pull requests',
    '/durationMs': 'follows from the events',
    '/leadTime': 'follows from the pull requests',
  },
  'experimentation-settings': {
    '/randomizationUnits/*/_hidden': 'a property of the context kind',
    '/randomizationUnits/*/_displayName': 'the name of the context kind',
  },
  'flag-defaults': { '/defaultClientSideAvailability': 'a setting of the project' },
  'flag-link': { '/_member': 'the member who created the link' },
  metric: {
    ...maintainer(),
    '/maintainerId': 'shown as the maintainer',
    '/maintainerTeamKey': 'shown as the maintainer',
    '/isActive': 'follows from the running experiments and releases',
    '/metricGroupCount': 'follows from the groups',
    '/metricGroups': 'documents of their own',
  },
  'metric-group': {
    '/maintainer/member/role': 'a property of the member',
    '/maintainer/member/email': 'a property of the member',
    '/maintainer/member/firstName': 'a property of the member',
    '/maintainer/member/lastName': 'a property of the member',
    '/metrics/*/name': 'the name of the metric',
    '/metrics/*/kind': 'a property of the metric',
    '/metrics/*/isNumeric': 'a property of the metric',
    '/metrics/*/unitAggregationType': 'a property of the metric',
    '/metrics/*/randomizationUnits': 'a property of the metric',
  },
  'oauth-client': { '/_accountId': 'the account' },
  'release-pipeline': {
    '/phases/*/audiences/*/environment/name': 'the name of the environment',
    '/phases/*/audiences/*/environment/color': 'the color of the environment',
    '/isProjectDefault': 'a setting of the project',
  },
  'release-policy': { '/rank': 'the index in the order of the policies' },
  'release-policy-ranking': {
    '/items': 'the policies, which are documents of their own',
    '/totalCount': 'the number of policies',
  },
  release: {
    '/phases/*/_completedBy': 'the actor of the entry',
    '/phases/*/_creationDate': 'the time of the creation of the release',
    '/phases/*/_audiences/*/environment': 'the environment of the audience',
    '/phases/*/_audiences/*/status': 'follows from the approval and the automated release',
    '/phases/*/_audiences/*/automatedRelease': 'a part of the configuration of the flag',
  },
  'flag-trigger': {
    '/_triggerCount': 'counts requests',
    '/_lastTriggeredAt': 'the time of the last request',
    '/triggerURL': 'contains a secret',
  },
  'scheduled-change': { '/status': 'follows from the failure' },
  workflow: {
    '/kind': 'always custom',
    '/_conflicts': 'follow from the flag',
    '/_execution': 'follows from the stages',
    '/meta': 'only in the response to the creation',
    ...stagesOfWorkflow,
  },
  'workflow-template': {
    '/parameters/*/default/booleanVariationValue': 'the value of the variation',
    ...stagesOfWorkflow,
  },
  view: {
    '/maintainer/maintainerMember': 'the member with this id',
    '/accountId': 'the account',
    '/projectKey': 'a part of the address',
    '/deleted': 'always false',
    '/_affectsSdkPayload': 'always false',
    '/generateSdkKeys': 'always false',
  },
  webhook: { '/secret': 'a secret' },
}

function maintainer(): Readonly<Record<string, string>> {
  const reason = 'a property of the member'
  return {
    '/_maintainer/role': reason,
    '/_maintainer/email': reason,
    '/_maintainer/firstName': reason,
    '/_maintainer/lastName': reason,
  }
}

/** Documents that an operation adds or deletes in sets, which an entry describes by keys, or with their parents. */
const changedInSets: Readonly<Record<string, readonly string[]>> = {
  deleteProject: ['environment', 'experimentation-settings', 'flag-defaults'],
  deleteAIConfig: ['ai-config-variation', 'ai-config-targeting'],
  createAIConfig: ['ai-config-targeting'],
  createProject: ['experimentation-settings', 'flag-defaults'],
  deleteAgentOptimizationRun: ['agent-optimization-result'],
  createDeploymentEvents: ['deployment'],
}

/** Returns a response without the properties that are not compared. */
function comparable(kind: string, value: unknown): unknown {
  const computed = Object.keys(computedProperties[kind] ?? {}).map((pointer) => pointer.split('/').slice(1))
  const strip = (part: unknown, at: readonly string[]): unknown => {
    if (Array.isArray(part)) return part.map((item, index) => strip(item, [...at, String(index)]))
    if (typeof part !== 'object' || part === null) return part
    const isComputed = (name: string) =>
      computed.some(
        (names) =>
          names.length === at.length + 1 && [...at, name].every((each, i) => names[i] === '*' || names[i] === each),
      )
    return Object.fromEntries(
      Object.entries(part)
        .filter(([name]) => !versionsAndLinks.has(name) && !isComputed(name))
        .map(([name, content]) => [name, strip(content, [...at, name])]),
    )
  }
  return strip(value, [])
}

function applied(value: unknown, patch: readonly PatchOperation[]): unknown {
  const [first] = patch
  if (first?.path === '') return first.op === 'remove' ? undefined : (first as { readonly value: unknown }).value
  return fjp.applyPatch(structuredClone(value), structuredClone([...patch])).newDocument
}

/** The changes of an entry that are about one response. */
interface ChangedResponse {
  readonly at: string
  readonly kind: string
  readonly changes: readonly ShownChange[]
}

/** Finds the response that each change of an entry is about. */
async function changedResponses(change: DescribedChange): Promise<readonly ChangedResponse[]> {
  const documents = [...change.before.values(), ...change.after.values()]
  const responses = new Map<string, ChangedResponse>()
  for (const shownChange of change.entry?.delta ?? []) {
    if (shownChange.patch.length + shownChange.inverse.length === 0) continue
    const candidates = documents.filter(
      (each) => each.collection.name === shownChange.kind && each.resource === shownChange.resource,
    )
    const at = await responseOf(change, shownChange, candidates)
    const { kind = shownChange.kind, changes = [] } = responses.get(at) ?? {}
    // The configurations of a flag are parts of the response that shows the flag.
    responses.set(at, { at, kind: kind === 'flag-config' ? 'flag' : kind, changes: [...changes, shownChange] })
  }
  return [...responses.values()]
}

/**
 * Documents of one kind can have the same address in policies, so several responses may match. The function returns the
 * response that the change altered.
 */
async function responseOf(change: DescribedChange, shownChange: ShownChange, candidates: readonly StoredDocument[]) {
  const exists = (response: unknown) => response !== undefined
  for (const candidate of candidates) {
    const { at } = await change.show(candidate)
    const [before, after] = [change.shownBefore.get(at), change.shownAfter.get(at)]
    const isWhole = shownChange.patch[0]?.path === ''
    const fits = isWhole
      ? exists(before) !== exists(after) && exists(after) === (shownChange.patch[0]?.op !== 'remove')
      : exists(before) && JSON.stringify(before) !== JSON.stringify(after)
    if (fits) return at
  }
  throw new Error(`no response shows the change of ${shownChange.kind} at ${shownChange.resource}`)
}

/** Operations that apply a JSON Patch to the response of a kind of resource. */
const patchedBy: Readonly<Record<string, string>> = {
  project: 'patchProject',
  environment: 'patchEnvironment',
  flag: 'patchFlag',
  segment: 'patchSegment',
  member: 'patchMember',
  role: 'patchRole',
  webhook: 'patchWebhook',
  token: 'patchToken',
  'relay-config': 'patchRelayAutoConfig',
  application: 'patchApplication',
  destination: 'patchDestination',
  'insight-group': 'patchInsightGroup',
  'release-pipeline': 'patchReleasePipeline',
  'oauth-client': 'patchOAuthClient',
}

/** Operations whose effect a JSON Patch cannot undo, with the reasons. */
const notUndone: Readonly<Record<string, string>> = {
  updateBigSegmentTargets: 'the keys of big segments are not part of the response',
  updateBigSegmentContextTargets: 'the keys of big segments are not part of the response',
  createBigSegmentImport: 'the keys of big segments are not part of the response',
  patchApprovalRequestSettings: 'approval settings have an operation of their own',
  createTeam: 'the teams of a member are changed with the team',
  patchTeam: 'the teams of a member are changed with the team',
  deleteTeam: 'the teams of a member are changed with the team',
  patchTeams: 'the teams of a member are changed with the team',
  postMemberTeams: 'the teams of a member are changed with the team',
  createReleasePipeline: 'a project keeps a default pipeline once it has one',
  putReleasePipeline: 'environments of audiences are named by their keys in requests',
  patchReleasePipeline: 'environments of audiences are named by their keys in requests',
}

describe('the delta of a change log entry', async () => {
  it.each((await writingOperations()).map((operation) => ({ operation, id: operation.id })))(
    'of $id changes the response before the call into the response after it, and back',
    async ({ operation }) => {
      const change = await describedChange(operation)
      const { entry, shownBefore, shownAfter } = change
      const responses = await changedResponses(change)
      const changedAt = new Set(responses.map(({ at }) => at))
      for (const { at, kind, changes } of responses) {
        const before = shownBefore.get(at)
        const after = shownAfter.get(at)
        const patched = changes.reduce((value, { patch }) => applied(value, patch), before)
        expect(comparable(kind, patched), at).toEqual(comparable(kind, after))
        const restored = changes.reduceRight((value, { inverse }) => applied(value, inverse), after)
        expect(comparable(kind, restored), at).toEqual(comparable(kind, before))
      }
      const inSets = new Set(changedInSets[operation.id])
      for (const state of [change.before, change.after]) {
        for (const document of state.values()) {
          const { at } = await change.show(document)
          if (changedAt.has(at) || inSets.has(document.collection.name)) continue
          const kind = document.collection.name === 'flag-config' ? 'flag' : document.collection.name
          expect(comparable(kind, shownAfter.get(at)), at).toEqual(comparable(kind, shownBefore.get(at)))
        }
      }
      expect(JSON.stringify(entry?.delta ?? '')).not.toMatch(/"(holds|revision|salt|sel|hash|secret)"/)
      for (const { at, kind, changes } of responses) {
        const inverse = changes.flatMap((each) => each.inverse)
        const patch = patchedBy[kind]
        if (!patch || operation.id in notUndone || inverse.some(({ path }) => path === '')) continue
        const params = JSON.parse(at.slice(at.indexOf(' ') + 1))
        await change.call(patch, { params, body: inverse })
        const document = [...change.after.values()].find((each) => each.collection.name === kind) as StoredDocument
        const { response } = await change.show({ ...document, keys: params })
        expect(comparable(kind, response), at).toEqual(comparable(kind, shownBefore.get(at)))
      }
      await change.close()
    },
  )
})
