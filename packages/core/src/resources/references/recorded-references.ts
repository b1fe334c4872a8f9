import { accounts } from '../../models/account/account.ts'
import { agentSkillRevisions } from '../../models/agent-skills/agent-skill.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigVariationRevisions } from '../../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { approvalRequests } from '../../models/approval-requests/approval-request.ts'
import { contextKinds } from '../../models/context-kinds/context-kind.ts'
import { deployments } from '../../models/deployments/deployment.ts'
import { environmentIds, environments } from '../../models/environments/environment.ts'
import { experimentationSettings } from '../../models/experimentation-settings/experimentation-settings.ts'
import { experiments } from '../../models/experiments/experiment.ts'
import { flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { layers } from '../../models/layers/layer.ts'
import { openDays } from '../../models/lead-time/lead-time-day.ts'
import { measurements } from '../../models/measurements/measurement.ts'
import { memberEmails, members } from '../../models/members/member.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { promptSnippetRevisions } from '../../models/prompt-snippets/prompt-snippet.ts'
import { commits, pullRequests } from '../../models/pull-requests/pull-request.ts'
import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { releases } from '../../models/releases/release.ts'
import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { segments } from '../../models/segments/segment.ts'
import { teams } from '../../models/teams/team.ts'
import { credentials, tokens } from '../../models/tokens/token.ts'
import { segmentViews, viewSegments } from '../../models/views/view-link.ts'
import { workflows } from '../../models/workflows/workflow.ts'
import { workflowTemplates } from '../../models/workflows/workflow-template.ts'
import { type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import { agentOptimizations } from '../agent-optimizations/agent-optimization.ts'
import { optimizationResults } from '../agent-optimizations/optimization-result.ts'
import { optimizationRuns } from '../agent-optimizations/optimization-run.ts'
import { applications } from '../applications/application.ts'
import { branches } from '../code-references/branch.ts'
import { extinctions } from '../code-references/extinction.ts'
import { flagLinkKeys, flagLinks } from '../flag-links/flag-link.ts'
import { flagTriggers } from '../flag-triggers/flag-trigger.ts'
import { insightGroups } from '../insight-groups/insight-group.ts'
import { segmentExports } from '../segments/exports/segment-export.ts'

/** Declares references that remain when their target is deleted. */
function recorded<F extends Versioned, FA extends string, T extends Versioned, TA extends string>(
  from: Documents<F, FA>,
  to: Documents<T, TA>,
  why: string,
  properties: readonly [string, ...string[]],
): ReferenceRow {
  const [property, ...otherProperties] = properties
  return referenceRow({ from, to, property, otherProperties, rule: 'record', why })
}

/** Declares index entries. The operation that deletes their target also removes them. */
function removedByOperation<F extends Versioned, FA extends string, T extends Versioned, TA extends string>(
  from: Documents<F, FA>,
  to: Documents<T, TA>,
  property: string,
): ReferenceRow {
  return referenceRow({ from, to, property, rule: 'remove', why: 'The operation that deletes the target removes it.' })
}

const done = 'It records the author of something. The id of a member or token is never used again.'
const earlier = 'It is an earlier version, which does not change.'
const reported = 'It was reported by another system, which may name resources that do not exist here.'
const frozen =
  'A measurement keeps the keys of measured resources. They cannot be deleted while the experiment or release runs.'
const id = 'It names the environment by id, which is never used again.'

/** References that stay, and index entries that the operations remove. */
export const recordedReferences: readonly ReferenceRow[] = [
  recorded(accounts, members, 'The last owner of an account cannot be deleted.', ['ownerId']),
  recorded(tokens, members, done, ['memberId', 'ownerId']),
  recorded(flagLinks, members, done, ['memberId']),
  recorded(sdkKeyDocuments, members, done, ['createdByMemberId']),
  recorded(relayConfigs, members, done, ['creatorId']),
  recorded(segmentExports, members, done, ['memberId']),
  recorded(scheduledChanges, members, done, ['mandate.memberId']),
  recorded(flagTriggers, members, done, ['mandate.memberId']),
  recorded(workflows, members, done, ['mandate.memberId', 'maintainerId', 'stages.conditions.notifyMemberIds']),
  recorded(workflows, teams, 'A team that was deleted is not notified.', ['stages.conditions.notifyTeamKeys']),
  recorded(workflows, workflowTemplates, 'It records the template that it was created from.', ['templateKey']),
  recorded(
    workflows,
    approvalRequests.flag,
    'A workflow whose request was deleted fails, unless its stage was applied.',
    ['stages.conditions.requestId'],
  ),
  recorded(approvalRequests.flag, workflows, 'A workflow deletes its requests that were not applied.', ['workflow.id']),
  recorded(workflowTemplates, members, done, ['maintainerId', 'stages.conditions.notifyMemberIds']),
  recorded(workflowTemplates, teams, 'A team that was deleted is not notified.', ['stages.conditions.notifyTeamKeys']),
  recorded(flagConfigs, members, done, ['automatedReleases.mandate.memberId', 'automatedReleases.notifyMemberIds']),
  recorded(flagConfigs, teams, 'A team that was deleted is not notified.', ['automatedReleases.notifyTeamKeys']),
  recorded(flagConfigs, releasePolicies, 'It records the policy that started a release.', [
    'automatedReleases.policyKey',
  ]),
  recorded(flagConfigs, metrics, frozen, ['automatedReleases.guard.metrics.key', 'automatedReleases.guard.judged.key']),
  recorded(releasePolicies, metricGroups, 'A release by a policy whose group was deleted is refused.', [
    'guardedReleaseConfig.metricGroupKeys',
  ]),
  recorded(releases, members, done, ['phases.completedBy.memberId']),
  recorded(releases, tokens, done, ['phases.completedBy.tokenId']),
  ...Object.values(approvalRequests).flatMap((requests) => [
    recorded(requests, members, done, ['requestorId', 'reviews.memberId', 'applied.memberId', 'mandate.memberId']),
    recorded(requests, tokens, done, ['requestorId', 'reviews.serviceTokenId', 'applied.serviceTokenId']),
  ]),
  recorded(aiConfigVariationRevisions, aiConfigs, earlier, ['judges.judgeConfigKey']),
  recorded(aiConfigVariationRevisions, aiTools, earlier, ['tools.key']),
  recorded(aiConfigVariationRevisions, aiModelConfigs, earlier, ['modelConfigKey']),
  ...[aiToolRevisions, agentSkillRevisions, promptSnippetRevisions].map((revisions) =>
    recorded(revisions as Documents<Versioned>, members, earlier, ['maintainerId', 'maintainerTeamKey']),
  ),
  recorded(optimizationResults, optimizationRuns, 'A result is deleted with its run or stays without it.', ['runId']),
  recorded(agentOptimizations, aiConfigs, 'Judges and variations are names that are not checked.', [
    'judges.key',
    'variationKey',
  ]),
  recorded(experimentationSettings, contextKinds, 'A context kind cannot be deleted.', [
    'randomizationUnits.randomizationUnit',
  ]),
  recorded(experiments, holdouts, 'A holdout cannot be deleted.', ['holdoutId']),
  recorded(layers, experiments, 'An experiment cannot be deleted.', ['reservations.experimentKey']),
  recorded(layers, flags, 'It only names the flag or AI config of the experiment.', ['reservations.flagKey']),
  recorded(experiments, layers, 'A layer cannot be deleted.', ['iterations.layerSnapshot.key']),
  recorded(experiments, contextKinds, 'A context kind cannot be deleted.', ['iterations.randomizationUnit']),
  recorded(holdouts, contextKinds, 'A context kind cannot be deleted.', ['randomizationUnit']),
  recorded(layers, contextKinds, 'A context kind cannot be deleted.', ['randomizationUnit']),
  recorded(metrics, contextKinds, 'A context kind cannot be deleted.', ['randomizationUnits']),
  recorded(measurements, metrics, frozen, ['metrics.key']),
  recorded(measurements, flags, frozen, ['flagKey', 'sources.flagKey']),
  recorded(measurements, contextKinds, frozen, ['randomizationUnit']),
  recorded(holdouts, metrics, 'A holdout measures a metric as it was defined when its first experiment started.', [
    'metrics.key',
  ]),
  recorded(segments, environments, id, ['environmentId']),
  recorded(viewSegments, environments, id, ['environmentId']),
  recorded(segmentViews, environments, id, ['environmentId']),
  recorded(openDays, environments, id, ['environmentId']),
  recorded(insightGroups, applications, 'The next deployment of an application creates it again.', ['applicationKeys']),
  recorded(deployments, applications, reported, ['applicationKey']),
  recorded(deployments, pullRequests, reported, ['pullRequests.externalId', 'brought.id']),
  recorded(pullRequests, commits, reported, ['commitIds']),
  recorded(pullRequests, associatedRepositories, reported, ['content.repositoryKey']),
  recorded(pullRequests, environments, reported, ['arrivals.environmentKey']),
  recorded(pullRequests, applications, reported, ['arrivals.applicationKey']),
  recorded(commits, pullRequests, reported, ['pullRequestIds']),
  recorded(commits, environments, reported, ['arrivals.environmentKey']),
  recorded(commits, applications, reported, ['arrivals.applicationKey']),
  recorded(branches, flags, 'The source code names flags, also those that do not exist.', ['references.hunks.flagKey']),
  recorded(extinctions, flags, 'The source code named the flag.', ['flagKey']),
  removedByOperation(memberEmails, members, 'memberId'),
  removedByOperation(credentials, tokens, 'tokenId'),
  removedByOperation(environmentIds, environments, 'environmentKey'),
  removedByOperation(flagLinkKeys, flagLinks, 'id'),
]
