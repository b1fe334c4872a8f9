import type { Documents, Versioned } from '../storage/collection.ts'
import { agentGraphOperations } from './agent-graphs/index.ts'
import { agentOptimizationOperations } from './agent-optimizations/index.ts'
import { agentSkillOperations } from './agent-skills/index.ts'
import { aiConfigs } from './ai-configs/ai-config.ts'
import { aiConfigOperations } from './ai-configs/index.ts'
import { aiModelConfigOperations } from './ai-model-configs/index.ts'
import { aiToolOperations } from './ai-tools/index.ts'
import { approvalRequestOperations } from './approval-requests/index.ts'
import { changeLogOperations } from './change-log/index.ts'
import { codeReferenceOperations } from './code-references/index.ts'
import { contextKindOperations } from './context-kinds/index.ts'
import { deploymentOperations } from './deployments/index.ts'
import { destinationOperations } from './destinations/index.ts'
import { environments } from './environments/environment.ts'
import { environmentOperations } from './environments/index.ts'
import { experimentationSettingsOperations } from './experimentation-settings/index.ts'
import { flagLinkOperations } from './flag-links/index.ts'
import { flags } from './flags/flag.ts'
import { flagOperations } from './flags/index.ts'
import { insightChartOperations } from './insight-charts/index.ts'
import { insightGroupOperations } from './insight-groups/index.ts'
import { leadTimeOperations } from './lead-time/index.ts'
import { memberOperations } from './members/index.ts'
import { oauthClientOperations } from './oauth-clients/index.ts'
import { projectOperations } from './projects/index.ts'
import { projects } from './projects/project.ts'
import { releasePipelineOperations } from './release-pipelines/index.ts'
import { releasePolicyOperations } from './release-policies/index.ts'
import { releaseOperations } from './releases/index.ts'
import { promptSnippetOperations } from './prompt-snippets/index.ts'
import { roleOperations } from './roles/index.ts'
import { scheduledChangeOperations } from './scheduled-changes/index.ts'
import { segmentOperations } from './segments/index.ts'
import { segments } from './segments/segment.ts'
import { teamOperations } from './teams/index.ts'
import { tokenOperations } from './tokens/index.ts'
import { webhookOperations } from './webhooks/index.ts'
import { viewOperations } from './views/index.ts'

/** Every operation of the engine: one line for each resource, here and below. */
export type OperationOfEngine =
  | (typeof projectOperations)[number]
  | (typeof environmentOperations)[number]
  | (typeof roleOperations)[number]
  | (typeof memberOperations)[number]
  | (typeof teamOperations)[number]
  | (typeof flagOperations)[number]
  | (typeof flagLinkOperations)[number]
  | (typeof scheduledChangeOperations)[number]
  | (typeof segmentOperations)[number]
  | (typeof contextKindOperations)[number]
  | (typeof experimentationSettingsOperations)[number]
  | (typeof viewOperations)[number]
  | (typeof tokenOperations)[number]
  | (typeof oauthClientOperations)[number]
  | (typeof webhookOperations)[number]
  | (typeof destinationOperations)[number]
  | (typeof approvalRequestOperations)[number]
  | (typeof codeReferenceOperations)[number]
  | (typeof deploymentOperations)[number]
  | (typeof leadTimeOperations)[number]
  | (typeof insightChartOperations)[number]
  | (typeof releasePipelineOperations)[number]
  | (typeof releaseOperations)[number]
  | (typeof releasePolicyOperations)[number]
  | (typeof insightGroupOperations)[number]
  | (typeof agentOptimizationOperations)[number]
  | (typeof agentGraphOperations)[number]
  | (typeof promptSnippetOperations)[number]
  | (typeof agentSkillOperations)[number]
  | (typeof aiConfigOperations)[number]
  | (typeof aiModelConfigOperations)[number]
  | (typeof aiToolOperations)[number]
  | (typeof changeLogOperations)[number]

export type Operations = readonly OperationOfEngine[]

// Its type is written down, as the compiler would have to write all cards out in full to tell it in a declaration.
export const operations: Operations = [
  ...projectOperations,
  ...environmentOperations,
  ...roleOperations,
  ...memberOperations,
  ...teamOperations,
  ...flagOperations,
  ...flagLinkOperations,
  ...scheduledChangeOperations,
  ...segmentOperations,
  ...contextKindOperations,
  ...experimentationSettingsOperations,
  ...viewOperations,
  ...tokenOperations,
  ...oauthClientOperations,
  ...webhookOperations,
  ...destinationOperations,
  ...approvalRequestOperations,
  ...codeReferenceOperations,
  ...deploymentOperations,
  ...leadTimeOperations,
  ...insightChartOperations,
  ...releasePipelineOperations,
  ...releaseOperations,
  ...releasePolicyOperations,
  ...insightGroupOperations,
  ...agentOptimizationOperations,
  ...agentGraphOperations,
  ...promptSnippetOperations,
  ...agentSkillOperations,
  ...aiConfigOperations,
  ...aiModelConfigOperations,
  ...aiToolOperations,
  ...changeLogOperations,
]

/** The collections whose documents have attributes that policies ask for: tags, properties, views. */
export const collections: readonly Documents<Versioned>[] = [
  projects,
  environments,
  flags,
  segments,
  aiConfigs,
] as never
