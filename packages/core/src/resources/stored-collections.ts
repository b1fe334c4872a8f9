import { accounts } from '../models/account/account.ts'
import { aiConfigs } from '../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from '../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigRevisions, aiModelConfigs } from '../models/ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from '../models/ai-tools/ai-tool.ts'
import { approvalPlaces, approvalRequests } from '../models/approval-requests/approval-request.ts'
import { accountImports } from '../models/back-ups/account-import.ts'
import { contextKinds } from '../models/context-kinds/context-kind.ts'
import { deploymentPlaces, deployments } from '../models/deployments/deployment.ts'
import { environmentIds, environments } from '../models/environments/environment.ts'
import { experimentationSettings } from '../models/experimentation-settings/experimentation-settings.ts'
import {
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  flagUses,
} from '../models/flag-evaluations/flag-evaluation.ts'
import { flags } from '../models/flags/flag.ts'
import { flagConfigs } from '../models/flags/flag-config.ts'
import { associatedRepositories } from '../models/insight-repositories/project-repository.ts'
import { leadTimeDays, leadTimeEpochs, leadTimeHours, openDays } from '../models/lead-time/lead-time-day.ts'
import { memberEmails, members } from '../models/members/member.ts'
import { projects } from '../models/projects/project.ts'
import { commits, pullRequests } from '../models/pull-requests/pull-request.ts'
import { releasePipelines } from '../models/release-pipelines/release-pipeline.ts'
import { releases } from '../models/releases/release.ts'
import { roles } from '../models/roles/role.ts'
import { generations, segments } from '../models/segments/segment.ts'
import { teams } from '../models/teams/team.ts'
import { credentials, tokens, tokenUses } from '../models/tokens/token.ts'
import { views } from '../models/views/view.ts'
import { flagViews, segmentViews, viewFlags, viewSegments } from '../models/views/view-link.ts'
import { webhooks } from '../models/webhooks/webhook.ts'
import { webhookFailures } from '../models/webhooks/webhook-delivery.ts'
import type { Documents, Versioned } from '../storage/collection.ts'
import { agentGraphs } from './agent-graphs/agent-graph.ts'
import { agentOptimizations } from './agent-optimizations/agent-optimization.ts'
import { optimizationResults } from './agent-optimizations/optimization-result.ts'
import { optimizationRuns } from './agent-optimizations/optimization-run.ts'
import { agentSkillRevisions, agentSkills } from './agent-skills/agent-skill.ts'
import { applications } from './applications/application.ts'
import { branches } from './code-references/branch.ts'
import { extinctions } from './code-references/extinction.ts'
import { repositories } from './code-references/repository.ts'
import { statistics } from './code-references/statistics.ts'
import { destinations } from './destinations/destination.ts'
import { exportIdentities } from './destinations/export-identity.ts'
import { flagLinkKeys, flagLinks } from './flag-links/flag-link.ts'
import { insightGroupPlaces, insightGroups } from './insight-groups/insight-group.ts'
import { oauthClients } from './oauth-clients/oauth-client.ts'
import { promptSnippetRevisions, promptSnippets } from './prompt-snippets/prompt-snippet.ts'
import { policyRankings } from './release-policies/policy-ranking.ts'
import { releasePolicies } from './release-policies/release-policy.ts'
import { scheduledChanges } from './scheduled-changes/scheduled-change.ts'
import { segmentExports } from './segments/exports/segment-export.ts'
import { importTurns } from './segments/imports/import-turn.ts'
import { segmentImports } from './segments/imports/segment-import.ts'

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
