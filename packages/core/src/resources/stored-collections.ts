import type { Documents, Versioned } from '../storage/collection.ts'
import { accounts } from './account/account.ts'
import { agentGraphs } from './agent-graphs/agent-graph.ts'
import { agentOptimizations } from './agent-optimizations/agent-optimization.ts'
import { optimizationResults } from './agent-optimizations/optimization-result.ts'
import { optimizationRuns } from './agent-optimizations/optimization-run.ts'
import { agentSkillRevisions, agentSkills } from './agent-skills/agent-skill.ts'
import { aiConfigs } from './ai-configs/ai-config.ts'
import { aiConfigTargetings } from './ai-configs/ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from './ai-configs/ai-config-variation.ts'
import { aiModelConfigRevisions, aiModelConfigs } from './ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from './ai-tools/ai-tool.ts'
import { applications } from './applications/application.ts'
import { approvalPlaces, approvalRequests } from './approval-requests/approval-request.ts'
import { accountImports } from './back-ups/account-import.ts'
import { branches } from './code-references/branch.ts'
import { extinctions } from './code-references/extinction.ts'
import { repositories } from './code-references/repository.ts'
import { statistics } from './code-references/statistics.ts'
import { contextKinds } from './context-kinds/context-kind.ts'
import { deploymentPlaces, deployments } from './deployments/deployment.ts'
import { destinations } from './destinations/destination.ts'
import { exportIdentities } from './destinations/export-identity.ts'
import { environmentIds, environments } from './environments/environment.ts'
import { experimentationSettings } from './experimentation-settings/experimentation-settings.ts'
import {
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  flagUses,
} from './flag-evaluations/flag-evaluation.ts'
import { flagLinkKeys, flagLinks } from './flag-links/flag-link.ts'
import { flags } from './flags/flag.ts'
import { flagConfigs } from './flags/flag-config.ts'
import { insightGroupPlaces, insightGroups } from './insight-groups/insight-group.ts'
import { associatedRepositories } from './insight-repositories/project-repository.ts'
import { leadTimeDays, leadTimeEpochs, leadTimeHours, openDays } from './lead-time/lead-time-day.ts'
import { memberEmails, members } from './members/member.ts'
import { oauthClients } from './oauth-clients/oauth-client.ts'
import { projects } from './projects/project.ts'
import { promptSnippetRevisions, promptSnippets } from './prompt-snippets/prompt-snippet.ts'
import { commits, pullRequests } from './pull-requests/pull-request.ts'
import { releasePipelines } from './release-pipelines/release-pipeline.ts'
import { policyRankings } from './release-policies/policy-ranking.ts'
import { releasePolicies } from './release-policies/release-policy.ts'
import { releases } from './releases/release.ts'
import { roles } from './roles/role.ts'
import { scheduledChanges } from './scheduled-changes/scheduled-change.ts'
import { importTurns } from './segments/import-turn.ts'
import { generations, segments } from './segments/segment.ts'
import { segmentExports } from './segments/segment-export.ts'
import { segmentImports } from './segments/segment-import.ts'
import { teams } from './teams/team.ts'
import { credentials, tokens, tokenUses } from './tokens/token.ts'
import { views } from './views/view.ts'
import { flagViews, segmentViews, viewFlags, viewSegments } from './views/view-link.ts'
import { webhooks } from './webhooks/webhook.ts'
import { webhookFailures } from './webhooks/webhook-delivery.ts'

/**
 * Every collection that documents are stored in: what back-ups must know, as they know which members are secrets and how
 * the narrow rows are made. Collections that only lists ask by, under another address, are not among them.
 */
export const storedCollections: readonly Documents<Versioned>[] = [
  accounts,
  agentGraphs,
  agentOptimizations,
  optimizationResults,
  optimizationRuns,
  agentSkillRevisions,
  agentSkills,
  aiConfigTargetings,
  aiConfigVariationRevisions,
  aiConfigVariations,
  aiConfigs,
  aiModelConfigRevisions,
  aiModelConfigs,
  aiToolRevisions,
  aiTools,
  applications,
  approvalPlaces,
  ...Object.values(approvalRequests),
  accountImports,
  branches,
  extinctions,
  repositories,
  statistics,
  contextKinds,
  deploymentPlaces,
  deployments,
  destinations,
  exportIdentities,
  environmentIds,
  environments,
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  experimentationSettings,
  flagLinkKeys,
  flagLinks,
  flagConfigs,
  flagUses,
  flags,
  insightGroupPlaces,
  insightGroups,
  associatedRepositories,
  leadTimeDays,
  leadTimeEpochs,
  leadTimeHours,
  openDays,
  memberEmails,
  members,
  oauthClients,
  projects,
  promptSnippetRevisions,
  promptSnippets,
  commits,
  pullRequests,
  releasePipelines,
  policyRankings,
  releasePolicies,
  releases,
  roles,
  importTurns,
  segmentExports,
  segmentImports,
  generations,
  scheduledChanges,
  segments,
  teams,
  credentials,
  tokenUses,
  tokens,
  flagViews,
  segmentViews,
  viewFlags,
  viewSegments,
  views,
  webhookFailures,
  webhooks,
] as never
