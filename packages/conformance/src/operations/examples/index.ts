import type { ExampleMakers } from '../example.ts'
import { accessExamples } from './access.ts'
import { agentOptimizationExamples } from './agent-optimizations.ts'
import { agentExamples } from './agents.ts'
import { aiConfigExamples } from './ai-configs.ts'
import { aiModelConfigExamples } from './ai-model-configs.ts'
import { aiToolExamples } from './ai-tools.ts'
import { apiRootExamples } from './api-root.ts'
import { approvalRequestExamples, failingApprovalRequestExamples } from './approval-requests.ts'
import { automatedReleaseExamples } from './automated-releases.ts'
import { changeLogExamples, failingChangeLogExamples } from './change-log.ts'
import { codeReferenceExamples } from './code-references.ts'
import { contextExamples } from './contexts.ts'
import { experimentationExamples } from './experimentation.ts'
import { experimentExamples } from './experiments.ts'
import { flagFollowerExamples } from './flag-followers.ts'
import { flagLinkExamples } from './flag-links.ts'
import { flagTriggerExamples } from './flag-triggers.ts'
import { flagExamples } from './flags.ts'
import { insightExamples } from './insights.ts'
import { failingIntegrationExamples, integrationExamples } from './integrations.ts'
import { failingMemberExamples, memberExamples } from './members.ts'
import { metricExamples } from './metrics.ts'
import { projectExamples } from './projects.ts'
import { releaseExamples } from './releases.ts'
import { scheduledChangeExamples } from './scheduled-changes.ts'
import { failingSegmentExamples, segmentExamples } from './segments.ts'
import { teamExamples } from './teams.ts'
import { viewExamples } from './views.ts'
import { workflowExamples } from './workflows.ts'

/** Examples of all operations by id. The run fails for an operation without one. */
export const examples: ExampleMakers = {
  ...projectExamples,
  ...accessExamples,
  ...memberExamples,
  ...teamExamples,
  ...flagExamples,
  ...flagFollowerExamples,
  ...flagLinkExamples,
  ...flagTriggerExamples,
  ...scheduledChangeExamples,
  ...automatedReleaseExamples,
  ...segmentExamples,
  ...experimentationExamples,
  ...experimentExamples,
  ...metricExamples,
  ...codeReferenceExamples,
  ...contextExamples,
  ...insightExamples,
  ...agentOptimizationExamples,
  ...agentExamples,
  ...aiConfigExamples,
  ...aiModelConfigExamples,
  ...aiToolExamples,
  ...changeLogExamples,
  ...releaseExamples,
  ...integrationExamples,
  ...apiRootExamples,
  ...approvalRequestExamples,
  ...viewExamples,
  ...workflowExamples,
}

/** Inputs that cause an error which an operation declares and no generated call causes. */
export const failingExamples: ExampleMakers = {
  ...failingChangeLogExamples,
  ...failingMemberExamples,
  ...failingSegmentExamples,
  ...failingApprovalRequestExamples,
  ...failingIntegrationExamples,
}
