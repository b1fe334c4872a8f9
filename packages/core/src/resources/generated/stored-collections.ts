// Generated from the descriptors of the resources: npm run generate

import type { StoredCollection } from '../../storage/collection.ts'
import { accounts } from '../account/account.ts'
import { agentGraphs } from '../agent-graphs/agent-graph.ts'
import { agentOptimizations } from '../agent-optimizations/agent-optimization.ts'
import { optimizationResults } from '../agent-optimizations/optimization-result.ts'
import { optimizationRuns } from '../agent-optimizations/optimization-run.ts'
import { agentSkillRevisions, agentSkills } from '../agent-skills/agent-skill.ts'
import { aiConfigTargetings } from '../ai-configs/ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from '../ai-configs/ai-config-variation.ts'
import { aiConfigs } from '../ai-configs/ai-config.ts'
import { aiModelConfigRevisions, aiModelConfigs } from '../ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from '../ai-tools/ai-tool.ts'
import { applications } from '../applications/application.ts'
import { approvalPlaces, approvalRequests } from '../approval-requests/approval-request.ts'
import { accountImports } from '../back-ups/account-import.ts'
import { branches } from '../code-references/branch.ts'
import { extinctions } from '../code-references/extinction.ts'
import { repositories } from '../code-references/repository.ts'
import { statistics } from '../code-references/statistics.ts'
import { contextKinds } from '../context-kinds/context-kind.ts'
import { deploymentPlaces, deployments } from '../deployments/deployment.ts'
import { destinations } from '../destinations/destination.ts'
import { exportIdentities } from '../destinations/export-identity.ts'
import { environmentIds, environments } from '../environments/environment.ts'
import { experimentationSettings } from '../experimentation-settings/experimentation-settings.ts'
import { evaluationCountings, evaluationHours, evaluationReports, flagUses } from '../flag-evaluations/flag-evaluation.ts'
import { flagLinkKeys, flagLinks } from '../flag-links/flag-link.ts'
import { flagConfigs } from '../flags/flag-config.ts'
import { flags } from '../flags/flag.ts'
import { insightGroupPlaces, insightGroups } from '../insight-groups/insight-group.ts'
import { associatedRepositories } from '../insight-repositories/project-repository.ts'
import { leadTimeDays, leadTimeEpochs, leadTimeHours, openDays } from '../lead-time/lead-time-day.ts'
import { memberEmails, members } from '../members/member.ts'
import { oauthClients } from '../oauth-clients/oauth-client.ts'
import { projects } from '../projects/project.ts'
import { promptSnippetRevisions, promptSnippets } from '../prompt-snippets/prompt-snippet.ts'
import { commits, pullRequests } from '../pull-requests/pull-request.ts'
import { releasePipelines } from '../release-pipelines/release-pipeline.ts'
import { policyRankings } from '../release-policies/policy-ranking.ts'
import { releasePolicies } from '../release-policies/release-policy.ts'
import { releases } from '../releases/release.ts'
import { roles } from '../roles/role.ts'
import { scheduledChanges } from '../scheduled-changes/scheduled-change.ts'
import { importTurns } from '../segments/import-turn.ts'
import { segmentExports } from '../segments/segment-export.ts'
import { segmentImports } from '../segments/segment-import.ts'
import { generations, segments } from '../segments/segment.ts'
import { teams } from '../teams/team.ts'
import { credentials, tokenUses, tokens } from '../tokens/token.ts'
import { flagViews, segmentViews, viewFlags, viewSegments } from '../views/view-link.ts'
import { views } from '../views/view.ts'
import { webhookFailures } from '../webhooks/webhook-delivery.ts'
import { webhooks } from '../webhooks/webhook.ts'

/** Every collection of documents, for back-ups: they need its secrets and the rows for its lists. */
export const storedCollections: readonly StoredCollection[] = [
  projects,
  environmentIds,
  environments,
  flags,
  flagConfigs,
  importTurns,
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
  aiConfigs,
  aiConfigTargetings,
  aiConfigVariationRevisions,
  aiConfigVariations,
  aiModelConfigRevisions,
  aiModelConfigs,
  aiToolRevisions,
  aiTools,
  applications,
  approvalPlaces,
  approvalRequests.flag,
  approvalRequests.segment,
  accountImports,
  branches,
  extinctions,
  repositories,
  statistics,
  deploymentPlaces,
  deployments,
  destinations,
  exportIdentities,
  experimentationSettings,
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  flagUses,
  flagLinkKeys,
  flagLinks,
  insightGroupPlaces,
  insightGroups,
  associatedRepositories,
  leadTimeDays,
  leadTimeEpochs,
  leadTimeHours,
  openDays,
  oauthClients,
  promptSnippetRevisions,
  promptSnippets,
  commits,
  pullRequests,
  releasePipelines,
  policyRankings,
  releasePolicies,
  releases,
  scheduledChanges,
  views,
  flagViews,
  segmentViews,
  viewFlags,
  viewSegments,
  webhooks,
  webhookFailures,
]
