// Generated from the descriptors of the resources: npm run generate

import type { StoredCollection } from '../../storage/collection.ts'
import { accounts } from '../../models/account/account.ts'
import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { agentSkillRevisions, agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiModelConfigRevisions, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { approvalIndex, approvalRequests } from '../../models/approval-requests/approval-request.ts'
import { accountImports } from '../../models/back-ups/account-import.ts'
import { repositories } from '../../models/code-references/repository.ts'
import { statistics } from '../../models/code-references/statistics.ts'
import { contextKinds } from '../../models/context-kinds/context-kind.ts'
import { contextInstances, seenContexts } from '../../models/contexts/seen-context.ts'
import { deploymentIndex, deployments } from '../../models/deployments/deployment.ts'
import { environmentIds, environments } from '../../models/environments/environment.ts'
import { experimentationSettings } from '../../models/experimentation-settings/experimentation-settings.ts'
import { experiments } from '../../models/experiments/experiment.ts'
import { evaluationCountingStarts, evaluationHours, evaluationReports, flagUses } from '../../models/flag-evaluations/flag-evaluation.ts'
import { flagFollowers } from '../../models/flag-followers/flag-followers.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { flags } from '../../models/flags/flag.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { ipAllowlists } from '../../models/ip-allowlist/ip-allowlist.ts'
import { layers } from '../../models/layers/layer.ts'
import { leadTimeDays, leadTimeEpochs, leadTimeHours, openDays } from '../../models/lead-time/lead-time-day.ts'
import { measuredUnits, measurementSums, measurements } from '../../models/measurements/measurement.ts'
import { memberEmails, members } from '../../models/members/member.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { oauthGrants, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import { flagDefaults } from '../../models/projects/flag-defaults.ts'
import { projects } from '../../models/projects/project.ts'
import { promptSnippetRevisions, promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { commits, pullRequests } from '../../models/pull-requests/pull-request.ts'
import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { policyRankings } from '../../models/release-policies/policy-ranking.ts'
import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { releases } from '../../models/releases/release.ts'
import { roles } from '../../models/roles/role.ts'
import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { generations, segments } from '../../models/segments/segment.ts'
import { teams } from '../../models/teams/team.ts'
import { credentials, tokenUses, tokens } from '../../models/tokens/token.ts'
import { flagViews, segmentViews, viewFlags, viewSegments } from '../../models/views/view-link.ts'
import { views } from '../../models/views/view.ts'
import { webhookFailures } from '../../models/webhooks/webhook-delivery.ts'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { workflowTemplates } from '../../models/workflows/workflow-template.ts'
import { workflows } from '../../models/workflows/workflow.ts'
import { agentOptimizations } from '../agent-optimizations/agent-optimization.ts'
import { optimizationResults } from '../agent-optimizations/optimization-result.ts'
import { optimizationRuns } from '../agent-optimizations/optimization-run.ts'
import { aiMetricHours } from '../ai-config-metrics/ai-metric-hour.ts'
import { applications } from '../applications/application.ts'
import { branches } from '../code-references/branch.ts'
import { extinctions } from '../code-references/extinction.ts'
import { destinationFailures } from '../destinations/destination-outbox.ts'
import { destinations } from '../destinations/destination.ts'
import { exportIdentities } from '../destinations/export-identity.ts'
import { flagLinkKeys, flagLinks } from '../flag-links/flag-link.ts'
import { flagTriggerIndex, flagTriggerUses, flagTriggers } from '../flag-triggers/flag-trigger.ts'
import { insightGroupIndex, insightGroups } from '../insight-groups/insight-group.ts'
import { segmentExports } from '../segments/exports/segment-export.ts'
import { importLocks } from '../segments/imports/import-lock.ts'
import { segmentImports } from '../segments/imports/segment-import.ts'

/** Every collection of documents, for back-ups: they need its secrets and the rows for its lists. */
export const storedCollections: readonly StoredCollection[] = [
  projects,
  environmentIds,
  environments,
  flags,
  flagConfigs,
  importLocks,
  generations,
  segments,
  segmentExports,
  segmentImports,
  contextKinds,
  memberEmails,
  members,
  teams,
  roles,
  credentials,
  tokens,
  tokenUses,
  accounts,
  agentGraphs,
  agentOptimizations,
  optimizationResults,
  optimizationRuns,
  agentSkillRevisions,
  agentSkills,
  aiMetricHours,
  aiConfigs,
  aiConfigTargetings,
  aiConfigVariationRevisions,
  aiConfigVariations,
  aiModelConfigRevisions,
  aiModelConfigs,
  aiToolRevisions,
  aiTools,
  applications,
  approvalIndex,
  approvalRequests.flag,
  approvalRequests.segment,
  approvalRequests.aiConfigTargeting,
  approvalRequests.aiConfigContents,
  approvalRequests.changeList,
  accountImports,
  branches,
  extinctions,
  repositories,
  statistics,
  seenContexts,
  contextInstances,
  deploymentIndex,
  deployments,
  destinations,
  exportIdentities,
  destinationFailures,
  experimentationSettings,
  experiments,
  flagDefaults,
  evaluationCountingStarts,
  evaluationHours,
  evaluationReports,
  flagUses,
  flagFollowers,
  flagLinkKeys,
  flagLinks,
  flagTriggers,
  flagTriggerIndex,
  flagTriggerUses,
  holdouts,
  insightGroupIndex,
  insightGroups,
  associatedRepositories,
  ipAllowlists,
  layers,
  leadTimeDays,
  leadTimeEpochs,
  leadTimeHours,
  openDays,
  measurements,
  measurementSums,
  measuredUnits,
  metricGroups,
  metrics,
  oauthClients,
  oauthGrants,
  oauthTokens,
  promptSnippetRevisions,
  promptSnippets,
  commits,
  pullRequests,
  relayConfigs,
  releasePipelines,
  policyRankings,
  releasePolicies,
  releases,
  scheduledChanges,
  sdkKeyDocuments,
  views,
  flagViews,
  segmentViews,
  viewFlags,
  viewSegments,
  webhooks,
  webhookFailures,
  workflowTemplates,
  workflows,
]
