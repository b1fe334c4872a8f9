// Generated from the descriptors of the resources: npm run generate

import { acceptInvitation as defineAcceptInvitation } from '../resources/invitations/accept-invitation.ts'
import { applyApprovalRequest as defineApplyApprovalRequest } from '../resources/approval-requests/apply-approval-request.ts'
import { applyApprovalRequestForFlag as defineApplyApprovalRequestForFlag } from '../resources/approval-requests/for-flag/apply-approval-request-for-flag.ts'
import { applyChanges as defineApplyChanges } from '../resources/change-lists/apply-changes.ts'
import { associateRepositoriesAndProjects as defineAssociateRepositoriesAndProjects } from '../resources/insight-repositories/associate-repositories.ts'
import { copyFlag as defineCopyFlag } from '../resources/flags/copies/copy-flag.ts'
import { countChangeLog as defineCountChangeLog } from '../resources/change-log/count-change-log.ts'
import { createAIConfig as defineCreateAIConfig } from '../resources/ai-configs/create-ai-config.ts'
import { createAIConfigVariation as defineCreateAIConfigVariation } from '../resources/ai-configs/variations/create-ai-config-variation.ts'
import { createAITool as defineCreateAITool } from '../resources/ai-tools/create-ai-tool.ts'
import { createAgentGraph as defineCreateAgentGraph } from '../resources/agent-graphs/create-agent-graph.ts'
import { createAgentOptimization as defineCreateAgentOptimization } from '../resources/agent-optimizations/create-agent-optimization.ts'
import { createAgentOptimizationResult as defineCreateAgentOptimizationResult } from '../resources/agent-optimizations/create-agent-optimization-result.ts'
import { createAgentSkill as defineCreateAgentSkill } from '../resources/agent-skills/create-agent-skill.ts'
import { createApprovalRequest as defineCreateApprovalRequest } from '../resources/approval-requests/create-approval-request.ts'
import { createApprovalRequestForFlag as defineCreateApprovalRequestForFlag } from '../resources/approval-requests/for-flag/create-approval-request-for-flag.ts'
import { createBigSegmentExport as defineCreateBigSegmentExport } from '../resources/segments/exports/create-big-segment-export.ts'
import { createBigSegmentImport as defineCreateBigSegmentImport } from '../resources/segments/imports/create-big-segment-import.ts'
import { createCommits as defineCreateCommits } from '../resources/pull-requests/create-commits.ts'
import { createContextInstances as defineCreateContextInstances } from '../resources/contexts/create-context-instances.ts'
import { createDeploymentEvent as defineCreateDeploymentEvent } from '../resources/deployments/create-deployment-event.ts'
import { createDeploymentEvents as defineCreateDeploymentEvents } from '../resources/deployments/create-deployment-events.ts'
import { createDestination as defineCreateDestination } from '../resources/destinations/create-destination.ts'
import { createEnvironment as defineCreateEnvironment } from '../resources/environments/create-environment.ts'
import { createExperiment as defineCreateExperiment } from '../resources/experiments/create-experiment.ts'
import { createExtinctions as defineCreateExtinctions } from '../resources/code-references/create-extinctions.ts'
import { createFlag as defineCreateFlag } from '../resources/flags/create-flag.ts'
import { createFlagCopyApprovalRequest as defineCreateFlagCopyApprovalRequest } from '../resources/approval-requests/copies/create-flag-copy-approval-request.ts'
import { createFlagEvents as defineCreateFlagEvents } from '../resources/flag-events/create-flag-events.ts'
import { createFlagLink as defineCreateFlagLink } from '../resources/flag-links/create-flag-link.ts'
import { createFlagTrigger as defineCreateFlagTrigger } from '../resources/flag-triggers/create-flag-trigger.ts'
import { createInsightGroup as defineCreateInsightGroup } from '../resources/insight-groups/create-insight-group.ts'
import { createIpAllowlistEntry as defineCreateIpAllowlistEntry } from '../resources/ip-allowlist/create-ip-allowlist-entry.ts'
import { createIteration as defineCreateIteration } from '../resources/experiments/create-iteration.ts'
import { createLayer as defineCreateLayer } from '../resources/layers/create-layer.ts'
import { createLeadTimeSamples as defineCreateLeadTimeSamples } from '../resources/lead-time/create-lead-time-samples.ts'
import { createMembers as defineCreateMembers } from '../resources/members/create-members.ts'
import { createMetricGroup as defineCreateMetricGroup } from '../resources/metric-groups/create-metric-group.ts'
import { createModelConfig as defineCreateModelConfig } from '../resources/ai-model-configs/create-model-config.ts'
import { createOAuthClient as defineCreateOAuthClient } from '../resources/oauth-clients/create-oauth-client.ts'
import { createOAuthGrant as defineCreateOAuthGrant } from '../resources/oauth-grants/create-oauth-grant.ts'
import { createProject as defineCreateProject } from '../resources/projects/create-project.ts'
import { createPromptSnippet as defineCreatePromptSnippet } from '../resources/prompt-snippets/create-prompt-snippet.ts'
import { createPullRequests as defineCreatePullRequests } from '../resources/pull-requests/create-pull-requests.ts'
import { createReleasePipeline as defineCreateReleasePipeline } from '../resources/release-pipelines/create-release-pipeline.ts'
import { createReleasePolicy as defineCreateReleasePolicy } from '../resources/release-policies/create-release-policy.ts'
import { createRepository as defineCreateRepository } from '../resources/code-references/create-repository.ts'
import { createRestrictedModels as defineCreateRestrictedModels } from '../resources/ai-model-configs/create-restricted-models.ts'
import { createRole as defineCreateRole } from '../resources/roles/create-role.ts'
import { createScheduledChange as defineCreateScheduledChange } from '../resources/scheduled-changes/create-scheduled-change.ts'
import { createSegment as defineCreateSegment } from '../resources/segments/create-segment.ts'
import { createTeam as defineCreateTeam } from '../resources/teams/create-team.ts'
import { createToken as defineCreateToken } from '../resources/tokens/create-token.ts'
import { createView as defineCreateView } from '../resources/views/create-view.ts'
import { createWebhook as defineCreateWebhook } from '../resources/webhooks/create-webhook.ts'
import { createWorkflowTemplate as defineCreateWorkflowTemplate } from '../resources/workflow-templates/create-workflow-template.ts'
import { deleteAIConfig as defineDeleteAIConfig } from '../resources/ai-configs/delete-ai-config.ts'
import { deleteAIConfigVariation as defineDeleteAIConfigVariation } from '../resources/ai-configs/variations/delete-ai-config-variation.ts'
import { deleteAITool as defineDeleteAITool } from '../resources/ai-tools/delete-ai-tool.ts'
import { deleteAccountApplication as defineDeleteAccountApplication } from '../resources/applications/across-environments/delete-account-application.ts'
import { deleteAgentGraph as defineDeleteAgentGraph } from '../resources/agent-graphs/delete-agent-graph.ts'
import { deleteAgentOptimization as defineDeleteAgentOptimization } from '../resources/agent-optimizations/delete-agent-optimization.ts'
import { deleteAgentOptimizationRun as defineDeleteAgentOptimizationRun } from '../resources/agent-optimizations/delete-agent-optimization-run.ts'
import { deleteAgentSkill as defineDeleteAgentSkill } from '../resources/agent-skills/delete-agent-skill.ts'
import { deleteApplication as defineDeleteApplication } from '../resources/applications/delete-application.ts'
import { deleteApplicationVersion as defineDeleteApplicationVersion } from '../resources/applications/across-environments/delete-application-version.ts'
import { deleteApprovalRequest as defineDeleteApprovalRequest } from '../resources/approval-requests/delete-approval-request.ts'
import { deleteApprovalRequestForFlag as defineDeleteApprovalRequestForFlag } from '../resources/approval-requests/for-flag/delete-approval-request-for-flag.ts'
import { deleteBranches as defineDeleteBranches } from '../resources/code-references/delete-branches.ts'
import { deleteContextInstances as defineDeleteContextInstances } from '../resources/contexts/delete-context-instances.ts'
import { deleteDeployment as defineDeleteDeployment } from '../resources/deployments/delete-deployment.ts'
import { deleteDestination as defineDeleteDestination } from '../resources/destinations/delete-destination.ts'
import { deleteEnvironment as defineDeleteEnvironment } from '../resources/environments/delete-environment.ts'
import { deleteFlag as defineDeleteFlag } from '../resources/flags/delete-flag.ts'
import { deleteFlagFollower as defineDeleteFlagFollower } from '../resources/flag-followers/delete-flag-follower.ts'
import { deleteFlagLink as defineDeleteFlagLink } from '../resources/flag-links/delete-flag-link.ts'
import { deleteFlagTrigger as defineDeleteFlagTrigger } from '../resources/flag-triggers/delete-flag-trigger.ts'
import { deleteInsightGroup as defineDeleteInsightGroup } from '../resources/insight-groups/delete-insight-group.ts'
import { deleteIpAllowlistEntry as defineDeleteIpAllowlistEntry } from '../resources/ip-allowlist/delete-ip-allowlist-entry.ts'
import { deleteMember as defineDeleteMember } from '../resources/members/delete-member.ts'
import { deleteMetric as defineDeleteMetric } from '../resources/metrics/delete-metric.ts'
import { deleteMetricGroup as defineDeleteMetricGroup } from '../resources/metric-groups/delete-metric-group.ts'
import { deleteModelConfig as defineDeleteModelConfig } from '../resources/ai-model-configs/delete-model-config.ts'
import { deleteOAuthClient as defineDeleteOAuthClient } from '../resources/oauth-clients/delete-oauth-client.ts'
import { deleteOAuthGrant as defineDeleteOAuthGrant } from '../resources/oauth-grants/delete-oauth-grant.ts'
import { deleteProject as defineDeleteProject } from '../resources/projects/delete-project.ts'
import { deletePromptSnippet as defineDeletePromptSnippet } from '../resources/prompt-snippets/delete-prompt-snippet.ts'
import { deleteRelayAutoConfig as defineDeleteRelayAutoConfig } from '../resources/relay-configs/delete-relay-auto-config.ts'
import { deleteRelease as defineDeleteRelease } from '../resources/releases/delete-release.ts'
import { deleteReleasePipeline as defineDeleteReleasePipeline } from '../resources/release-pipelines/delete-release-pipeline.ts'
import { deleteReleasePolicy as defineDeleteReleasePolicy } from '../resources/release-policies/delete-release-policy.ts'
import { deleteRepository as defineDeleteRepository } from '../resources/code-references/delete-repository.ts'
import { deleteRepositoryProject as defineDeleteRepositoryProject } from '../resources/insight-repositories/delete-repository-project.ts'
import { deleteRestrictedModels as defineDeleteRestrictedModels } from '../resources/ai-model-configs/delete-restricted-models.ts'
import { deleteRole as defineDeleteRole } from '../resources/roles/delete-role.ts'
import { deleteScheduledChange as defineDeleteScheduledChange } from '../resources/scheduled-changes/delete-scheduled-change.ts'
import { deleteSdkKeyByKey as defineDeleteSdkKeyByKey } from '../resources/sdk-keys/delete-sdk-key-by-key.ts'
import { deleteSegment as defineDeleteSegment } from '../resources/segments/delete-segment.ts'
import { deleteTeam as defineDeleteTeam } from '../resources/teams/delete-team.ts'
import { deleteToken as defineDeleteToken } from '../resources/tokens/delete-token.ts'
import { deleteUser as defineDeleteUser } from '../resources/contexts/users/delete-user.ts'
import { deleteView as defineDeleteView } from '../resources/views/delete-view.ts'
import { deleteWebhook as defineDeleteWebhook } from '../resources/webhooks/delete-webhook.ts'
import { deleteWorkflow as defineDeleteWorkflow } from '../resources/workflows/delete-workflow.ts'
import { deleteWorkflowTemplate as defineDeleteWorkflowTemplate } from '../resources/workflow-templates/delete-workflow-template.ts'
import { evaluateContextInstance as defineEvaluateContextInstance } from '../resources/contexts/evaluate-context-instance.ts'
import { generateTrustPolicy as defineGenerateTrustPolicy } from '../resources/destinations/generate-trust-policy.ts'
import { getContextInstanceSegmentsMembershipByEnv as defineGetContextInstanceSegmentsMembershipByEnv } from '../resources/contexts/get-context-instance-segments-membership-by-env.ts'
import { inviteMember as defineInviteMember } from '../resources/invitations/invite-member.ts'
import { invokeFlagTrigger as defineInvokeFlagTrigger } from '../resources/flag-triggers/invoke-flag-trigger.ts'
import { linkResource as defineLinkResource } from '../resources/views/link-resource.ts'
import { orderReleasePolicies as defineOrderReleasePolicies } from '../resources/release-policies/order-release-policies.ts'
import { patchAIConfig as definePatchAIConfig } from '../resources/ai-configs/patch-ai-config.ts'
import { patchAIConfigTargeting as definePatchAIConfigTargeting } from '../resources/ai-configs/targeting/patch-ai-config-targeting.ts'
import { patchAIConfigVariation as definePatchAIConfigVariation } from '../resources/ai-configs/variations/patch-ai-config-variation.ts'
import { patchAITool as definePatchAITool } from '../resources/ai-tools/patch-ai-tool.ts'
import { patchAccountApplication as definePatchAccountApplication } from '../resources/applications/across-environments/patch-account-application.ts'
import { patchAgentGraph as definePatchAgentGraph } from '../resources/agent-graphs/patch-agent-graph.ts'
import { patchAgentOptimization as definePatchAgentOptimization } from '../resources/agent-optimizations/patch-agent-optimization.ts'
import { patchAgentOptimizationResult as definePatchAgentOptimizationResult } from '../resources/agent-optimizations/patch-agent-optimization-result.ts'
import { patchAgentSkill as definePatchAgentSkill } from '../resources/agent-skills/patch-agent-skill.ts'
import { patchApplication as definePatchApplication } from '../resources/applications/patch-application.ts'
import { patchApplicationVersion as definePatchApplicationVersion } from '../resources/applications/across-environments/patch-application-version.ts'
import { patchApprovalRequest as definePatchApprovalRequest } from '../resources/approval-requests/patch-approval-request.ts'
import { patchApprovalRequestForFlag as definePatchApprovalRequestForFlag } from '../resources/approval-requests/for-flag/patch-approval-request-for-flag.ts'
import { patchApprovalRequestSettings as definePatchApprovalRequestSettings } from '../resources/approval-requests/settings/patch-approval-request-settings.ts'
import { patchDeployment as definePatchDeployment } from '../resources/deployments/patch-deployment.ts'
import { patchDestination as definePatchDestination } from '../resources/destinations/patch-destination.ts'
import { patchEnvironment as definePatchEnvironment } from '../resources/environments/patch-environment.ts'
import { patchExperiment as definePatchExperiment } from '../resources/experiments/patch-experiment.ts'
import { patchExpiringFlagsForUser as definePatchExpiringFlagsForUser } from '../resources/flags/expiring-targets/patch-expiring-flags-for-user.ts'
import { patchExpiringTargets as definePatchExpiringTargets } from '../resources/flags/expiring-targets/patch-expiring-targets.ts'
import { patchExpiringTargetsForSegment as definePatchExpiringTargetsForSegment } from '../resources/segments/expiring-targets/patch-expiring-targets-for-segment.ts'
import { patchExpiringUserTargets as definePatchExpiringUserTargets } from '../resources/flags/expiring-targets/patch-expiring-user-targets.ts'
import { patchExpiringUserTargetsForSegment as definePatchExpiringUserTargetsForSegment } from '../resources/segments/expiring-targets/patch-expiring-user-targets-for-segment.ts'
import { patchFlag as definePatchFlag } from '../resources/flags/patch-flag.ts'
import { patchFlagDefaults as definePatchFlagDefaults } from '../resources/flag-defaults/patch-flag-defaults.ts'
import { patchFlagTrigger as definePatchFlagTrigger } from '../resources/flag-triggers/patch-flag-trigger.ts'
import { patchHoldout as definePatchHoldout } from '../resources/holdouts/patch-holdout.ts'
import { patchInsightGroup as definePatchInsightGroup } from '../resources/insight-groups/patch-insight-group.ts'
import { patchIpAllowlistConfig as definePatchIpAllowlistConfig } from '../resources/ip-allowlist/patch-ip-allowlist-config.ts'
import { patchIpAllowlistEntry as definePatchIpAllowlistEntry } from '../resources/ip-allowlist/patch-ip-allowlist-entry.ts'
import { patchMember as definePatchMember } from '../resources/members/patch-member.ts'
import { patchMembers as definePatchMembers } from '../resources/members/bulk/patch-members.ts'
import { patchMetric as definePatchMetric } from '../resources/metrics/patch-metric.ts'
import { patchMetricGroup as definePatchMetricGroup } from '../resources/metric-groups/patch-metric-group.ts'
import { patchModelConfig as definePatchModelConfig } from '../resources/ai-model-configs/patch-model-config.ts'
import { patchOAuthClient as definePatchOAuthClient } from '../resources/oauth-clients/patch-oauth-client.ts'
import { patchProject as definePatchProject } from '../resources/projects/patch-project.ts'
import { patchPromptSnippet as definePatchPromptSnippet } from '../resources/prompt-snippets/patch-prompt-snippet.ts'
import { patchRelayAutoConfig as definePatchRelayAutoConfig } from '../resources/relay-configs/patch-relay-auto-config.ts'
import { patchRelease as definePatchRelease } from '../resources/releases/patch-release.ts'
import { patchReleasePipeline as definePatchReleasePipeline } from '../resources/release-pipelines/patch-release-pipeline.ts'
import { patchRepository as definePatchRepository } from '../resources/code-references/patch-repository.ts'
import { patchRole as definePatchRole } from '../resources/roles/patch-role.ts'
import { patchScheduledChange as definePatchScheduledChange } from '../resources/scheduled-changes/patch-scheduled-change.ts'
import { patchSdkKeyByKey as definePatchSdkKeyByKey } from '../resources/sdk-keys/patch-sdk-key-by-key.ts'
import { patchSegment as definePatchSegment } from '../resources/segments/patch-segment.ts'
import { patchTeam as definePatchTeam } from '../resources/teams/patch-team.ts'
import { patchTeams as definePatchTeams } from '../resources/teams/bulk/patch-teams.ts'
import { patchToken as definePatchToken } from '../resources/tokens/patch-token.ts'
import { patchView as definePatchView } from '../resources/views/patch-view.ts'
import { patchWebhook as definePatchWebhook } from '../resources/webhooks/patch-webhook.ts'
import { postHoldout as definePostHoldout } from '../resources/holdouts/post-holdout.ts'
import { postMemberTeams as definePostMemberTeams } from '../resources/teams/bulk/post-member-teams.ts'
import { postMetric as definePostMetric } from '../resources/metrics/post-metric.ts'
import { postMigrationSafetyIssues as definePostMigrationSafetyIssues } from '../resources/flags/migrations/post-migration-safety-issues.ts'
import { postRelayAutoConfig as definePostRelayAutoConfig } from '../resources/relay-configs/post-relay-auto-config.ts'
import { postSdkKey as definePostSdkKey } from '../resources/sdk-keys/post-sdk-key.ts'
import { postWorkflow as definePostWorkflow } from '../resources/workflows/post-workflow.ts'
import { putBranch as definePutBranch } from '../resources/code-references/put-branch.ts'
import { putContextFlagSetting as definePutContextFlagSetting } from '../resources/flags/context-settings/put-context-flag-setting.ts'
import { putContextKind as definePutContextKind } from '../resources/context-kinds/put-context-kind.ts'
import { putExperimentationSettings as definePutExperimentationSettings } from '../resources/experimentation-settings/put-experimentation-settings.ts'
import { putFlagDefaults as definePutFlagDefaults } from '../resources/flag-defaults/put-flag-defaults.ts'
import { putFlagFollower as definePutFlagFollower } from '../resources/flag-followers/put-flag-follower.ts'
import { putFlagSetting as definePutFlagSetting } from '../resources/flags/context-settings/put-flag-setting.ts'
import { putPhaseStatus as definePutPhaseStatus } from '../resources/releases/put-phase-status.ts'
import { putRelease as definePutRelease } from '../resources/releases/put-release.ts'
import { putReleasePipeline as definePutReleasePipeline } from '../resources/release-pipelines/put-release-pipeline.ts'
import { putReleasePolicy as definePutReleasePolicy } from '../resources/release-policies/put-release-policy.ts'
import { replayDestination as defineReplayDestination } from '../resources/destinations/replay-destination.ts'
import { replayWebhook as defineReplayWebhook } from '../resources/webhooks/replay-webhook.ts'
import { replayWebhookDelivery as defineReplayWebhookDelivery } from '../resources/webhooks/replay-webhook-delivery.ts'
import { resetMobileKey as defineResetMobileKey } from '../resources/environments/reset-mobile-key.ts'
import { resetRelayAutoConfig as defineResetRelayAutoConfig } from '../resources/relay-configs/reset-relay-auto-config.ts'
import { resetSdkKey as defineResetSdkKey } from '../resources/environments/reset-sdk-key.ts'
import { resetToken as defineResetToken } from '../resources/tokens/reset-token.ts'
import { revertChangeLogEntry as defineRevertChangeLogEntry } from '../resources/change-log/revert-change-log-entry.ts'
import { reviewApprovalRequest as defineReviewApprovalRequest } from '../resources/approval-requests/review-approval-request.ts'
import { reviewApprovalRequestForFlag as defineReviewApprovalRequestForFlag } from '../resources/approval-requests/for-flag/review-approval-request-for-flag.ts'
import { searchChangeLog as defineSearchChangeLog } from '../resources/change-log/search-change-log.ts'
import { searchContextInstances as defineSearchContextInstances } from '../resources/contexts/search-context-instances.ts'
import { searchContexts as defineSearchContexts } from '../resources/contexts/search-contexts.ts'
import { simulateChanges as defineSimulateChanges } from '../resources/change-lists/simulate-changes.ts'
import { testWebhook as defineTestWebhook } from '../resources/webhooks/test-webhook.ts'
import { unlinkResource as defineUnlinkResource } from '../resources/views/unlink-resource.ts'
import { updateBigSegmentContextTargets as defineUpdateBigSegmentContextTargets } from '../resources/segments/big/update-big-segment-context-targets.ts'
import { updateBigSegmentTargets as defineUpdateBigSegmentTargets } from '../resources/segments/big/update-big-segment-targets.ts'
import { updateFlagLink as defineUpdateFlagLink } from '../resources/flag-links/update-flag-link.ts'
import { updateLayer as defineUpdateLayer } from '../resources/layers/update-layer.ts'
import { writingOperation } from '../engine/writing.ts'

// Every operation by its id, for engines of selected operations: bundlers leave out the others.
/** Accept an invitation; only this response contains the value of the first personal token of the member (`POST /api/v2/members/{id}/invitation/accept`). */
export const acceptInvitation: typeof defineAcceptInvitation = /* @__PURE__ */ writingOperation(defineAcceptInvitation)
/** Apply an approval request (`POST /api/v2/approval-requests/{id}/apply`). */
export const applyApprovalRequest: typeof defineApplyApprovalRequest = /* @__PURE__ */ writingOperation(defineApplyApprovalRequest)
/** Apply an approval request of a flag (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}/apply`). */
export const applyApprovalRequestForFlag: typeof defineApplyApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineApplyApprovalRequestForFlag)
/** Apply a list of changes as one commit: each change is a call of an operation, with the rights of the caller (`POST /api/v2/changes`). */
export const applyChanges: typeof defineApplyChanges = /* @__PURE__ */ writingOperation(defineApplyChanges)
/** Associate repositories with projects (`PUT /api/v2/engineering-insights/repositories/projects`). */
export const associateRepositoriesAndProjects: typeof defineAssociateRepositoriesAndProjects = /* @__PURE__ */ writingOperation(defineAssociateRepositoriesAndProjects)
/** Copy the configuration of a feature flag from one environment to another (`POST /api/v2/flags/{projectKey}/{flagKey}/copy`). */
export const copyFlag: typeof defineCopyFlag = /* @__PURE__ */ writingOperation(defineCopyFlag)
/** Count the entries of the change log from `after` until `before` in periods of equal length; with policy statements only the entries that they select (`POST /api/v2/auditlog/counts`). */
export const countChangeLog: typeof defineCountChangeLog = /* @__PURE__ */ writingOperation(defineCountChangeLog)
/** Create an AI config, optionally with a variation that is the default in all environments (`POST /api/v2/projects/{projectKey}/ai-configs`). */
export const createAIConfig: typeof defineCreateAIConfig = /* @__PURE__ */ writingOperation(defineCreateAIConfig)
/** Create a variation of an AI config; the first one is served by default (`POST /api/v2/projects/{projectKey}/ai-configs/{configKey}/variations`). */
export const createAIConfigVariation: typeof defineCreateAIConfigVariation = /* @__PURE__ */ writingOperation(defineCreateAIConfigVariation)
/** Create a tool that variations of AI configs can offer to a model (`POST /api/v2/projects/{projectKey}/ai-tools`). */
export const createAITool: typeof defineCreateAITool = /* @__PURE__ */ writingOperation(defineCreateAITool)
/** Create an agent graph (`POST /api/v2/projects/{projectKey}/agent-graphs`). */
export const createAgentGraph: typeof defineCreateAgentGraph = /* @__PURE__ */ writingOperation(defineCreateAgentGraph)
/** Create an agent optimization (`POST /api/v2/projects/{projectKey}/agent-optimizations`). */
export const createAgentOptimization: typeof defineCreateAgentOptimization = /* @__PURE__ */ writingOperation(defineCreateAgentOptimization)
/** Create a result of a run of an agent optimization; the first one creates the run (`POST /api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results`). */
export const createAgentOptimizationResult: typeof defineCreateAgentOptimizationResult = /* @__PURE__ */ writingOperation(defineCreateAgentOptimizationResult)
/** Create an agent skill (`POST /api/v2/projects/{projectKey}/ai-configs/skills`). */
export const createAgentSkill: typeof defineCreateAgentSkill = /* @__PURE__ */ writingOperation(defineCreateAgentSkill)
/** Create an approval request for a change of a flag, segment or AI config, or for a list of changes in a project (`POST /api/v2/approval-requests`). */
export const createApprovalRequest: typeof defineCreateApprovalRequest = /* @__PURE__ */ writingOperation(defineCreateApprovalRequest)
/** Create an approval request for a change of a flag in an environment (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests`). */
export const createApprovalRequestForFlag: typeof defineCreateApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineCreateApprovalRequestForFlag)
/** Export the keys of a big segment to a file (`POST /api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/exports`). */
export const createBigSegmentExport: typeof defineCreateBigSegmentExport = /* @__PURE__ */ writingOperation(defineCreateBigSegmentExport)
/** Import the keys of a file into a big segment (`POST /api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/imports`). */
export const createBigSegmentImport: typeof defineCreateBigSegmentImport = /* @__PURE__ */ writingOperation(defineCreateBigSegmentImport)
/** Create or update commits, with or without a pull request (`POST /api/v2/engineering-insights/commits`). */
export const createCommits: typeof defineCreateCommits = /* @__PURE__ */ writingOperation(defineCreateCommits)
/** Report contexts for which a program evaluates flags without an SDK that reports them; anonymous ones are not stored (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances`). */
export const createContextInstances: typeof defineCreateContextInstances = /* @__PURE__ */ writingOperation(defineCreateContextInstances)
/** Create a deployment event; the first event of a version creates its deployment (`POST /api/v2/engineering-insights/deployment-events`). */
export const createDeploymentEvent: typeof defineCreateDeploymentEvent = /* @__PURE__ */ writingOperation(defineCreateDeploymentEvent)
/** Create deployment events; events that exist stay unchanged (`POST /api/v2/engineering-insights/deployment-events/batch`). */
export const createDeploymentEvents: typeof defineCreateDeploymentEvents = /* @__PURE__ */ writingOperation(defineCreateDeploymentEvents)
/** Create a destination for the data exports of an environment; it is off unless `on` is true (`POST /api/v2/destinations/{projectKey}/{environmentKey}`). */
export const createDestination: typeof defineCreateDestination = /* @__PURE__ */ writingOperation(defineCreateDestination)
/** Create an environment (`POST /api/v2/projects/{projectKey}/environments`). */
export const createEnvironment: typeof defineCreateEnvironment = /* @__PURE__ */ writingOperation(defineCreateEnvironment)
/** Create an experiment with its first iteration, which has not started (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/experiments`). */
export const createExperiment: typeof defineCreateExperiment = /* @__PURE__ */ writingOperation(defineCreateExperiment)
/** Create extinction events of flags in a branch; events that exist stay unchanged (`POST /api/v2/code-refs/repositories/{repo}/branches/{branch}/extinction-events`). */
export const createExtinctions: typeof defineCreateExtinctions = /* @__PURE__ */ writingOperation(defineCreateExtinctions)
/** Create a feature flag, turned off in all environments unless `isFlagOn` is true; with `clone`, copy the targeting of another flag (`POST /api/v2/flags/{projectKey}`). */
export const createFlag: typeof defineCreateFlag = /* @__PURE__ */ writingOperation(defineCreateFlag)
/** Create an approval request for a copy of the configuration of a flag from another environment to this one (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests-flag-copy`). */
export const createFlagCopyApprovalRequest: typeof defineCreateFlagCopyApprovalRequest = /* @__PURE__ */ writingOperation(defineCreateFlagCopyApprovalRequest)
/** Create flag events; events that exist stay unchanged (`POST /api/v2/engineering-insights/flag-events`). */
export const createFlagEvents: typeof defineCreateFlagEvents = /* @__PURE__ */ writingOperation(defineCreateFlagEvents)
/** Create a link from a flag to an external page (`POST /api/v2/flag-links/projects/{projectKey}/flags/{flagKey}`). */
export const createFlagLink: typeof defineCreateFlagLink = /* @__PURE__ */ writingOperation(defineCreateFlagLink)
/** Create a trigger of a flag in an environment; only this response contains its URL, and a request to the URL has the rights that the caller then still has (`POST /api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}`). */
export const createFlagTrigger: typeof defineCreateFlagTrigger = /* @__PURE__ */ writingOperation(defineCreateFlagTrigger)
/** Create an insight group of all applications of an environment, or of some (`POST /api/v2/engineering-insights/insights/group`). */
export const createInsightGroup: typeof defineCreateInsightGroup = /* @__PURE__ */ writingOperation(defineCreateInsightGroup)
/** Add an address, or a range of addresses, to the IP allowlist (`POST /api/v2/account/ip-allowlist`). */
export const createIpAllowlistEntry: typeof defineCreateIpAllowlistEntry = /* @__PURE__ */ writingOperation(defineCreateIpAllowlistEntry)
/** Add an iteration to an experiment without starting it; it replaces an iteration that has not started (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/iterations`). */
export const createIteration: typeof defineCreateIteration = /* @__PURE__ */ writingOperation(defineCreateIteration)
/** Create a layer, whose experiments exclude each other (`POST /api/v2/projects/{projectKey}/layers`). */
export const createLayer: typeof defineCreateLayer = /* @__PURE__ */ writingOperation(defineCreateLayer)
/** Create lead-time samples; samples that exist stay unchanged (`POST /api/v2/engineering-insights/lead-time-samples`). */
export const createLeadTimeSamples: typeof defineCreateLeadTimeSamples = /* @__PURE__ */ writingOperation(defineCreateLeadTimeSamples)
/** Invite members, all of them or none; only this response contains the links of the invitations (`POST /api/v2/members`). */
export const createMembers: typeof defineCreateMembers = /* @__PURE__ */ writingOperation(defineCreateMembers)
/** Create a metric group (`POST /api/v2/projects/{projectKey}/metric-groups`). */
export const createMetricGroup: typeof defineCreateMetricGroup = /* @__PURE__ */ writingOperation(defineCreateMetricGroup)
/** Create a model config that all variations of the project can use (`POST /api/v2/projects/{projectKey}/ai-configs/model-configs`). */
export const createModelConfig: typeof defineCreateModelConfig = /* @__PURE__ */ writingOperation(defineCreateModelConfig)
/** Create an OAuth 2.0 client; only this response contains its secret (`POST /api/v2/oauth/clients`). */
export const createOAuthClient: typeof defineCreateOAuthClient = /* @__PURE__ */ writingOperation(defineCreateOAuthClient)
/** Allow an OAuth 2.0 client to act for the calling member; only this response contains the authorization code (`POST /api/v2/oauth/clients/{clientId}/grants`). */
export const createOAuthGrant: typeof defineCreateOAuthGrant = /* @__PURE__ */ writingOperation(defineCreateOAuthGrant)
/** Create a project and its environments (`POST /api/v2/projects`). */
export const createProject: typeof defineCreateProject = /* @__PURE__ */ writingOperation(defineCreateProject)
/** Create a prompt snippet (`POST /api/v2/projects/{projectKey}/ai-configs/prompt-snippets`). */
export const createPromptSnippet: typeof defineCreatePromptSnippet = /* @__PURE__ */ writingOperation(defineCreatePromptSnippet)
/** Create or update pull requests and their commits; of several reports about a pull request, the latest applies (`POST /api/v2/engineering-insights/pull-requests`). */
export const createPullRequests: typeof defineCreatePullRequests = /* @__PURE__ */ writingOperation(defineCreatePullRequests)
/** Create a release pipeline; the first one becomes the default of the project (`POST /api/v2/projects/{projectKey}/release-pipelines`). */
export const createReleasePipeline: typeof defineCreateReleasePipeline = /* @__PURE__ */ writingOperation(defineCreateReleasePipeline)
/** Create a release policy with the last rank; without a scope it is the default of the project (`POST /api/v2/projects/{projectKey}/release-policies`). */
export const createReleasePolicy: typeof defineCreateReleasePolicy = /* @__PURE__ */ writingOperation(defineCreateReleasePolicy)
/** Create a repository for code references (`POST /api/v2/code-refs/repositories`). */
export const createRepository: typeof defineCreateRepository = /* @__PURE__ */ writingOperation(defineCreateRepository)
/** Restrict model configs: variations that use them keep them, and other variations cannot start to use them (`POST /api/v2/projects/{projectKey}/ai-configs/model-configs/restricted`). */
export const createRestrictedModels: typeof defineCreateRestrictedModels = /* @__PURE__ */ writingOperation(defineCreateRestrictedModels)
/** Create a custom role (`POST /api/v2/roles`). */
export const createRole: typeof defineCreateRole = /* @__PURE__ */ writingOperation(defineCreateRole)
/** Create a scheduled change of a flag in an environment; it runs with the rights that the caller has at that time (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes`). */
export const createScheduledChange: typeof defineCreateScheduledChange = /* @__PURE__ */ writingOperation(defineCreateScheduledChange)
/** Create a segment (`POST /api/v2/segments/{projectKey}/{environmentKey}`). */
export const createSegment: typeof defineCreateSegment = /* @__PURE__ */ writingOperation(defineCreateSegment)
/** Create a team (`POST /api/v2/teams`). */
export const createTeam: typeof defineCreateTeam = /* @__PURE__ */ writingOperation(defineCreateTeam)
/** Create an access token; only this response contains its value (`POST /api/v2/tokens`). */
export const createToken: typeof defineCreateToken = /* @__PURE__ */ writingOperation(defineCreateToken)
/** Create a view without linked resources (`POST /api/v2/projects/{projectKey}/views`). */
export const createView: typeof defineCreateView = /* @__PURE__ */ writingOperation(defineCreateView)
/** Create a webhook; a signing secret is generated when the caller sends none (`POST /api/v2/webhooks`). */
export const createWebhook: typeof defineCreateWebhook = /* @__PURE__ */ writingOperation(defineCreateWebhook)
/** Create a workflow template from stages or from the stages of a workflow (`POST /api/v2/templates`). */
export const createWorkflowTemplate: typeof defineCreateWorkflowTemplate = /* @__PURE__ */ writingOperation(defineCreateWorkflowTemplate)
/** Delete an AI config that no other resource uses, with its variations, its targeting and its metrics (`DELETE /api/v2/projects/{projectKey}/ai-configs/{configKey}`). */
export const deleteAIConfig: typeof defineDeleteAIConfig = /* @__PURE__ */ writingOperation(defineDeleteAIConfig)
/** Delete a variation of an AI config that no environment serves, with all its versions (`DELETE /api/v2/projects/{projectKey}/ai-configs/{configKey}/variations/{variationKey}`). */
export const deleteAIConfigVariation: typeof defineDeleteAIConfigVariation = /* @__PURE__ */ writingOperation(defineDeleteAIConfigVariation)
/** Delete a tool that no variation of an AI config uses, with all its versions (`DELETE /api/v2/projects/{projectKey}/ai-tools/{toolKey}`). */
export const deleteAITool: typeof defineDeleteAITool = /* @__PURE__ */ writingOperation(defineDeleteAITool)
/** Delete an application in all environments that have it, but not its deployments; the next event creates it again (`DELETE /api/v2/applications/{applicationKey}`). */
export const deleteAccountApplication: typeof defineDeleteAccountApplication = /* @__PURE__ */ writingOperation(defineDeleteAccountApplication)
/** Delete an agent graph, but not its AI configs (`DELETE /api/v2/projects/{projectKey}/agent-graphs/{graphKey}`). */
export const deleteAgentGraph: typeof defineDeleteAgentGraph = /* @__PURE__ */ writingOperation(defineDeleteAgentGraph)
/** Delete an agent optimization with all its runs (`DELETE /api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}`). */
export const deleteAgentOptimization: typeof defineDeleteAgentOptimization = /* @__PURE__ */ writingOperation(defineDeleteAgentOptimization)
/** Delete a run of an agent optimization with all its results (`DELETE /api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/runs/{runId}`). */
export const deleteAgentOptimizationRun: typeof defineDeleteAgentOptimizationRun = /* @__PURE__ */ writingOperation(defineDeleteAgentOptimizationRun)
/** Delete an agent skill that no variation of an AI config uses, with all its versions (`DELETE /api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}`). */
export const deleteAgentSkill: typeof defineDeleteAgentSkill = /* @__PURE__ */ writingOperation(defineDeleteAgentSkill)
/** Delete an application, but not its deployments; the next event creates it again (`DELETE /api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}`). */
export const deleteApplication: typeof defineDeleteApplication = /* @__PURE__ */ writingOperation(defineDeleteApplication)
/** Delete the deployments of a version of an application in all environments, but not their events and lead times (`DELETE /api/v2/applications/{applicationKey}/versions/{versionKey}`). */
export const deleteApplicationVersion: typeof defineDeleteApplicationVersion = /* @__PURE__ */ writingOperation(defineDeleteApplicationVersion)
/** Delete an approval request that has not been applied (`DELETE /api/v2/approval-requests/{id}`). */
export const deleteApprovalRequest: typeof defineDeleteApprovalRequest = /* @__PURE__ */ writingOperation(defineDeleteApprovalRequest)
/** Delete an approval request of a flag that has not been applied (`DELETE /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}`). */
export const deleteApprovalRequestForFlag: typeof defineDeleteApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineDeleteApprovalRequestForFlag)
/** Delete branches by name; unknown names are ignored (`POST /api/v2/code-refs/repositories/{repo}/branch-delete-tasks`). */
export const deleteBranches: typeof defineDeleteBranches = /* @__PURE__ */ writingOperation(defineDeleteBranches)
/** Delete a combination of contexts, and the contexts that are in no other combination; the next report stores them again (`DELETE /api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances/{id}`). */
export const deleteContextInstances: typeof defineDeleteContextInstances = /* @__PURE__ */ writingOperation(defineDeleteContextInstances)
/** Delete a deployment, but not its events and lead times (`DELETE /api/v2/engineering-insights/deployments/{deploymentID}`). */
export const deleteDeployment: typeof defineDeleteDeployment = /* @__PURE__ */ writingOperation(defineDeleteDeployment)
/** Delete a destination of data exports, with the data that it has not received yet (`DELETE /api/v2/destinations/{projectKey}/{environmentKey}/{id}`). */
export const deleteDestination: typeof defineDeleteDestination = /* @__PURE__ */ writingOperation(defineDeleteDestination)
/** Delete an environment and everything in it (`DELETE /api/v2/projects/{projectKey}/environments/{environmentKey}`). */
export const deleteEnvironment: typeof defineDeleteEnvironment = /* @__PURE__ */ writingOperation(defineDeleteEnvironment)
/** Delete a feature flag in all environments (`DELETE /api/v2/flags/{projectKey}/{flagKey}`). */
export const deleteFlag: typeof defineDeleteFlag = /* @__PURE__ */ writingOperation(defineDeleteFlag)
/** Remove a member from the followers of a flag; a caller who removes another member needs `manageFlagFollowers` (`DELETE /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/followers/{memberId}`). */
export const deleteFlagFollower: typeof defineDeleteFlagFollower = /* @__PURE__ */ writingOperation(defineDeleteFlagFollower)
/** Delete a link of a flag (`DELETE /api/v2/flag-links/projects/{projectKey}/flags/{flagKey}/{id}`). */
export const deleteFlagLink: typeof defineDeleteFlagLink = /* @__PURE__ */ writingOperation(defineDeleteFlagLink)
/** Delete a trigger of a flag; its URL then has no effect (`DELETE /api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}/{id}`). */
export const deleteFlagTrigger: typeof defineDeleteFlagTrigger = /* @__PURE__ */ writingOperation(defineDeleteFlagTrigger)
/** Delete an insight group, but not the data of its scores (`DELETE /api/v2/engineering-insights/insights/groups/{insightGroupKey}`). */
export const deleteInsightGroup: typeof defineDeleteInsightGroup = /* @__PURE__ */ writingOperation(defineDeleteInsightGroup)
/** Remove an entry from the IP allowlist (`DELETE /api/v2/account/ip-allowlist/{id}`). */
export const deleteIpAllowlistEntry: typeof defineDeleteIpAllowlistEntry = /* @__PURE__ */ writingOperation(defineDeleteIpAllowlistEntry)
/** Delete a member from the account and its teams; their personal tokens become invalid immediately (`DELETE /api/v2/members/{id}`). */
export const deleteMember: typeof defineDeleteMember = /* @__PURE__ */ writingOperation(defineDeleteMember)
/** Delete a metric that nothing uses (`DELETE /api/v2/metrics/{projectKey}/{metricKey}`). */
export const deleteMetric: typeof defineDeleteMetric = /* @__PURE__ */ writingOperation(defineDeleteMetric)
/** Delete a metric group, without its metrics (`DELETE /api/v2/projects/{projectKey}/metric-groups/{metricGroupKey}`). */
export const deleteMetricGroup: typeof defineDeleteMetricGroup = /* @__PURE__ */ writingOperation(defineDeleteMetricGroup)
/** Delete a model config that no variation of an AI config uses, with all its versions (`DELETE /api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}`). */
export const deleteModelConfig: typeof defineDeleteModelConfig = /* @__PURE__ */ writingOperation(defineDeleteModelConfig)
/** Delete an OAuth 2.0 client (`DELETE /api/v2/oauth/clients/{clientId}`). */
export const deleteOAuthClient: typeof defineDeleteOAuthClient = /* @__PURE__ */ writingOperation(defineDeleteOAuthClient)
/** Delete an OAuth 2.0 grant; all tokens that were issued for it stop working immediately (`DELETE /api/v2/oauth/grants/{grantId}`). */
export const deleteOAuthGrant: typeof defineDeleteOAuthGrant = /* @__PURE__ */ writingOperation(defineDeleteOAuthGrant)
/** Delete a project and everything in it (`DELETE /api/v2/projects/{projectKey}`). */
export const deleteProject: typeof defineDeleteProject = /* @__PURE__ */ writingOperation(defineDeleteProject)
/** Delete a prompt snippet that no variation of an AI config uses, with all its versions (`DELETE /api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}`). */
export const deletePromptSnippet: typeof defineDeletePromptSnippet = /* @__PURE__ */ writingOperation(defineDeletePromptSnippet)
/** Delete a Relay Proxy configuration; its keys stop working immediately, and the streams of its relays end (`DELETE /api/v2/account/relay-auto-configs/{id}`). */
export const deleteRelayAutoConfig: typeof defineDeleteRelayAutoConfig = /* @__PURE__ */ writingOperation(defineDeleteRelayAutoConfig)
/** Delete the release of a feature flag; the flag stays unchanged (`DELETE /api/v2/flags/{projectKey}/{flagKey}/release`). */
export const deleteRelease: typeof defineDeleteRelease = /* @__PURE__ */ writingOperation(defineDeleteRelease)
/** Delete a release pipeline that is not the default of the project and has no active release (`DELETE /api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}`). */
export const deleteReleasePipeline: typeof defineDeleteReleasePipeline = /* @__PURE__ */ writingOperation(defineDeleteReleasePipeline)
/** Delete a release policy; the later ones move up by one rank (`DELETE /api/v2/projects/{projectKey}/release-policies/{policyKey}`). */
export const deleteReleasePolicy: typeof defineDeleteReleasePolicy = /* @__PURE__ */ writingOperation(defineDeleteReleasePolicy)
/** Delete a repository with its branches and statistics (`DELETE /api/v2/code-refs/repositories/{repo}`). */
export const deleteRepository: typeof defineDeleteRepository = /* @__PURE__ */ writingOperation(defineDeleteRepository)
/** Delete the association of a repository with a project, but not the data from it (`DELETE /api/v2/engineering-insights/repositories/{repositoryKey}/projects/{projectKey}`). */
export const deleteRepositoryProject: typeof defineDeleteRepositoryProject = /* @__PURE__ */ writingOperation(defineDeleteRepositoryProject)
/** Remove the restriction of model configs (`DELETE /api/v2/projects/{projectKey}/ai-configs/model-configs/restricted`). */
export const deleteRestrictedModels: typeof defineDeleteRestrictedModels = /* @__PURE__ */ writingOperation(defineDeleteRestrictedModels)
/** Delete a custom role (`DELETE /api/v2/roles/{roleKey}`). */
export const deleteRole: typeof defineDeleteRole = /* @__PURE__ */ writingOperation(defineDeleteRole)
/** Delete a scheduled change, so that it is not made (`DELETE /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes/{id}`). */
export const deleteScheduledChange: typeof defineDeleteScheduledChange = /* @__PURE__ */ writingOperation(defineDeleteScheduledChange)
/** Delete an SDK key of an environment; SDKs with it are rejected and their streams end (`DELETE /api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys/{sdkKeyKey}`). */
export const deleteSdkKeyByKey: typeof defineDeleteSdkKeyByKey = /* @__PURE__ */ writingOperation(defineDeleteSdkKeyByKey)
/** Delete a segment that no flag, AI config or other segment refers to (`DELETE /api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}`). */
export const deleteSegment: typeof defineDeleteSegment = /* @__PURE__ */ writingOperation(defineDeleteSegment)
/** Delete a team that has no members (`DELETE /api/v2/teams/{teamKey}`). */
export const deleteTeam: typeof defineDeleteTeam = /* @__PURE__ */ writingOperation(defineDeleteTeam)
/** Delete an access token; all its values stop working immediately (`DELETE /api/v2/tokens/{id}`). */
export const deleteToken: typeof defineDeleteToken = /* @__PURE__ */ writingOperation(defineDeleteToken)
/** Delete a context of kind `user` with the combinations of contexts that contain it; the next report stores it again (`DELETE /api/v2/users/{projectKey}/{environmentKey}/{userKey}`). */
export const deleteUser: typeof defineDeleteUser = /* @__PURE__ */ writingOperation(defineDeleteUser)
/** Delete a view; the linked flags and segments remain (`DELETE /api/v2/projects/{projectKey}/views/{viewKey}`). */
export const deleteView: typeof defineDeleteView = /* @__PURE__ */ writingOperation(defineDeleteView)
/** Delete a webhook with its attempts and pending deliveries (`DELETE /api/v2/webhooks/{id}`). */
export const deleteWebhook: typeof defineDeleteWebhook = /* @__PURE__ */ writingOperation(defineDeleteWebhook)
/** Delete a workflow, with its open approval requests; its remaining stages are not run (`DELETE /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows/{workflowId}`). */
export const deleteWorkflow: typeof defineDeleteWorkflow = /* @__PURE__ */ writingOperation(defineDeleteWorkflow)
/** Delete a workflow template; workflows that were created from it stay (`DELETE /api/v2/templates/{templateKey}`). */
export const deleteWorkflowTemplate: typeof defineDeleteWorkflowTemplate = /* @__PURE__ */ writingOperation(defineDeleteWorkflowTemplate)
/** Evaluate the flags of an environment for a context; nothing is counted, and the context is not stored (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/flags/evaluate`). */
export const evaluateContextInstance: typeof defineEvaluateContextInstance = /* @__PURE__ */ writingOperation(defineEvaluateContextInstance)
/** Generate the trust policy by which a cloud account accepts the data exports of an environment (`POST /api/v2/destinations/projects/{projectKey}/environments/{environmentKey}/generate-trust-policy`). */
export const generateTrustPolicy: typeof defineGenerateTrustPolicy = /* @__PURE__ */ writingOperation(defineGenerateTrustPolicy)
/** List the segments of an environment, each with the membership of a context and the reason for it (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/segments/evaluate`). */
export const getContextInstanceSegmentsMembershipByEnv: typeof defineGetContextInstanceSegmentsMembershipByEnv = /* @__PURE__ */ writingOperation(defineGetContextInstanceSegmentsMembershipByEnv)
/** Renew the invitation of a member; only this response contains its link, and earlier links stop working (`POST /api/v2/members/{id}/invitation`). */
export const inviteMember: typeof defineInviteMember = /* @__PURE__ */ writingOperation(defineInviteMember)
/** Turn a flag on or off by the URL of a trigger, with the rights that its author still has (`POST /webhook/triggers/{id}/{secret}`). */
export const invokeFlagTrigger: typeof defineInvokeFlagTrigger = /* @__PURE__ */ writingOperation(defineInvokeFlagTrigger)
/** Link flags or segments to a view, by name or by a filter that is evaluated once (`POST /api/v2/projects/{projectKey}/views/{viewKey}/link/{resourceType}`). */
export const linkResource: typeof defineLinkResource = /* @__PURE__ */ writingOperation(defineLinkResource)
/** Set the ranks of all release policies with a scope, by a list of their keys (`POST /api/v2/projects/{projectKey}/release-policies/order`). */
export const orderReleasePolicies: typeof defineOrderReleasePolicies = /* @__PURE__ */ writingOperation(defineOrderReleasePolicies)
/** Update an AI config (`PATCH /api/v2/projects/{projectKey}/ai-configs/{configKey}`). */
export const patchAIConfig: typeof definePatchAIConfig = /* @__PURE__ */ writingOperation(definePatchAIConfig)
/** Update the targeting of an AI config by a semantic patch (`PATCH /api/v2/projects/{projectKey}/ai-configs/{configKey}/targeting`). */
export const patchAIConfigTargeting: typeof definePatchAIConfigTargeting = /* @__PURE__ */ writingOperation(definePatchAIConfigTargeting)
/** Update a variation of an AI config, which creates a new version (`PATCH /api/v2/projects/{projectKey}/ai-configs/{configKey}/variations/{variationKey}`). */
export const patchAIConfigVariation: typeof definePatchAIConfigVariation = /* @__PURE__ */ writingOperation(definePatchAIConfigVariation)
/** Update a tool, which creates a new version; variations keep the version that they refer to (`PATCH /api/v2/projects/{projectKey}/ai-tools/{toolKey}`). */
export const patchAITool: typeof definePatchAITool = /* @__PURE__ */ writingOperation(definePatchAITool)
/** Update an application in all environments that have it; the caller needs the right in each of them (`PATCH /api/v2/applications/{applicationKey}`). */
export const patchAccountApplication: typeof definePatchAccountApplication = /* @__PURE__ */ writingOperation(definePatchAccountApplication)
/** Update an agent graph; its root and its edges are replaced together (`PATCH /api/v2/projects/{projectKey}/agent-graphs/{graphKey}`). */
export const patchAgentGraph: typeof definePatchAgentGraph = /* @__PURE__ */ writingOperation(definePatchAgentGraph)
/** Update an agent optimization, which creates a new version (`PATCH /api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}`). */
export const patchAgentOptimization: typeof definePatchAgentOptimization = /* @__PURE__ */ writingOperation(definePatchAgentOptimization)
/** Update a result of a run; a final status cannot change (`PATCH /api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results/{resultId}`). */
export const patchAgentOptimizationResult: typeof definePatchAgentOptimizationResult = /* @__PURE__ */ writingOperation(definePatchAgentOptimizationResult)
/** Update an agent skill, which creates a new version (`PATCH /api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}`). */
export const patchAgentSkill: typeof definePatchAgentSkill = /* @__PURE__ */ writingOperation(definePatchAgentSkill)
/** Update an application (`PATCH /api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}`). */
export const patchApplication: typeof definePatchApplication = /* @__PURE__ */ writingOperation(definePatchApplication)
/** Mark a version of an application as supported or not; the caller needs the right to each of its deployments (`PATCH /api/v2/applications/{applicationKey}/versions/{versionKey}`). */
export const patchApplicationVersion: typeof definePatchApplicationVersion = /* @__PURE__ */ writingOperation(definePatchApplicationVersion)
/** Update the description or the reviewers of an approval request (`PATCH /api/v2/approval-requests/{id}`). */
export const patchApprovalRequest: typeof definePatchApprovalRequest = /* @__PURE__ */ writingOperation(definePatchApprovalRequest)
/** Update the description or the reviewers of an approval request of a flag (`PATCH /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}`). */
export const patchApprovalRequestForFlag: typeof definePatchApprovalRequestForFlag = /* @__PURE__ */ writingOperation(definePatchApprovalRequestForFlag)
/** Update the approval settings of an environment for a kind of resource (`PATCH /api/v2/approval-requests/projects/{projectKey}/settings`). */
export const patchApprovalRequestSettings: typeof definePatchApprovalRequestSettings = /* @__PURE__ */ writingOperation(definePatchApprovalRequestSettings)
/** Update a deployment (`PATCH /api/v2/engineering-insights/deployments/{deploymentID}`). */
export const patchDeployment: typeof definePatchDeployment = /* @__PURE__ */ writingOperation(definePatchDeployment)
/** Update a destination of data exports; a secret stays unchanged when its mask is sent (`PATCH /api/v2/destinations/{projectKey}/{environmentKey}/{id}`). */
export const patchDestination: typeof definePatchDestination = /* @__PURE__ */ writingOperation(definePatchDestination)
/** Update an environment (`PATCH /api/v2/projects/{projectKey}/environments/{environmentKey}`). */
export const patchEnvironment: typeof definePatchEnvironment = /* @__PURE__ */ writingOperation(definePatchEnvironment)
/** Update an experiment, start or stop its iterations (`PATCH /api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}`). */
export const patchExperiment: typeof definePatchExperiment = /* @__PURE__ */ writingOperation(definePatchExperiment)
/** Update the expiry dates of a user among the targets of several flags in an environment, as one commit (`PATCH /api/v2/users/{projectKey}/{userKey}/expiring-user-targets/{environmentKey}`). */
export const patchExpiringFlagsForUser: typeof definePatchExpiringFlagsForUser = /* @__PURE__ */ writingOperation(definePatchExpiringFlagsForUser)
/** Update the expiring targets of a feature flag (`PATCH /api/v2/flags/{projectKey}/{flagKey}/expiring-targets/{environmentKey}`). */
export const patchExpiringTargets: typeof definePatchExpiringTargets = /* @__PURE__ */ writingOperation(definePatchExpiringTargets)
/** Update the expiring targets of a segment (`PATCH /api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}`). */
export const patchExpiringTargetsForSegment: typeof definePatchExpiringTargetsForSegment = /* @__PURE__ */ writingOperation(definePatchExpiringTargetsForSegment)
/** Update the expiring user targets of a feature flag (`PATCH /api/v2/flags/{projectKey}/{flagKey}/expiring-user-targets/{environmentKey}`). */
export const patchExpiringUserTargets: typeof definePatchExpiringUserTargets = /* @__PURE__ */ writingOperation(definePatchExpiringUserTargets)
/** Update the expiring user targets of a segment (`PATCH /api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}`). */
export const patchExpiringUserTargetsForSegment: typeof definePatchExpiringUserTargetsForSegment = /* @__PURE__ */ writingOperation(definePatchExpiringUserTargetsForSegment)
/** Update a feature flag in one environment or in all, with a JSON Patch or a semantic patch (`PATCH /api/v2/flags/{projectKey}/{flagKey}`). */
export const patchFlag: typeof definePatchFlag = /* @__PURE__ */ writingOperation(definePatchFlag)
/** Update the defaults of new flags of a project (`PATCH /api/v2/projects/{projectKey}/flag-defaults`). */
export const patchFlagDefaults: typeof definePatchFlagDefaults = /* @__PURE__ */ writingOperation(definePatchFlagDefaults)
/** Turn a trigger on or off, replace its instruction or its URL; the caller becomes its author, unless it is only turned off (`PATCH /api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}/{id}`). */
export const patchFlagTrigger: typeof definePatchFlagTrigger = /* @__PURE__ */ writingOperation(definePatchFlagTrigger)
/** Update a holdout, end it, or remove an experiment from it (`PATCH /api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts/{holdoutKey}`). */
export const patchHoldout: typeof definePatchHoldout = /* @__PURE__ */ writingOperation(definePatchHoldout)
/** Update the name or the applications of an insight group (`PATCH /api/v2/engineering-insights/insights/groups/{insightGroupKey}`). */
export const patchInsightGroup: typeof definePatchInsightGroup = /* @__PURE__ */ writingOperation(definePatchInsightGroup)
/** Turn the IP allowlist on or off, for sessions and for access tokens (`PATCH /api/v2/account/ip-allowlist`). */
export const patchIpAllowlistConfig: typeof definePatchIpAllowlistConfig = /* @__PURE__ */ writingOperation(definePatchIpAllowlistConfig)
/** Change the description of an entry of the IP allowlist (`PATCH /api/v2/account/ip-allowlist/{id}`). */
export const patchIpAllowlistEntry: typeof definePatchIpAllowlistEntry = /* @__PURE__ */ writingOperation(definePatchIpAllowlistEntry)
/** Update a member; the update applies to their personal tokens immediately (`PATCH /api/v2/members/{id}`). */
export const patchMember: typeof definePatchMember = /* @__PURE__ */ writingOperation(definePatchMember)
/** Update several members, all of them or none; the update applies to their personal tokens immediately (`PATCH /api/v2/members`). */
export const patchMembers: typeof definePatchMembers = /* @__PURE__ */ writingOperation(definePatchMembers)
/** Update a metric; running experiments keep the definition that they started with (`PATCH /api/v2/metrics/{projectKey}/{metricKey}`). */
export const patchMetric: typeof definePatchMetric = /* @__PURE__ */ writingOperation(definePatchMetric)
/** Update a metric group (`PATCH /api/v2/projects/{projectKey}/metric-groups/{metricGroupKey}`). */
export const patchMetricGroup: typeof definePatchMetricGroup = /* @__PURE__ */ writingOperation(definePatchMetricGroup)
/** Update a model config, which creates a new version (`PATCH /api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}`). */
export const patchModelConfig: typeof definePatchModelConfig = /* @__PURE__ */ writingOperation(definePatchModelConfig)
/** Update the name, the description or the redirect URI of an OAuth 2.0 client (`PATCH /api/v2/oauth/clients/{clientId}`). */
export const patchOAuthClient: typeof definePatchOAuthClient = /* @__PURE__ */ writingOperation(definePatchOAuthClient)
/** Update a project (`PATCH /api/v2/projects/{projectKey}`). */
export const patchProject: typeof definePatchProject = /* @__PURE__ */ writingOperation(definePatchProject)
/** Update a prompt snippet, which creates a new version (`PATCH /api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}`). */
export const patchPromptSnippet: typeof definePatchPromptSnippet = /* @__PURE__ */ writingOperation(definePatchPromptSnippet)
/** Update a Relay Proxy configuration; a changed policy serves at most what the caller may view (`PATCH /api/v2/account/relay-auto-configs/{id}`). */
export const patchRelayAutoConfig: typeof definePatchRelayAutoConfig = /* @__PURE__ */ writingOperation(definePatchRelayAutoConfig)
/** Complete phases of a release in a legacy pipeline (`PATCH /api/v2/flags/{projectKey}/{flagKey}/release`). */
export const patchRelease: typeof definePatchRelease = /* @__PURE__ */ writingOperation(definePatchRelease)
/** Update a release pipeline (`PATCH /api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}`). */
export const patchReleasePipeline: typeof definePatchReleasePipeline = /* @__PURE__ */ writingOperation(definePatchReleasePipeline)
/** Update a repository (`PATCH /api/v2/code-refs/repositories/{repo}`). */
export const patchRepository: typeof definePatchRepository = /* @__PURE__ */ writingOperation(definePatchRepository)
/** Update a custom role; the update applies to its members immediately (`PATCH /api/v2/roles/{roleKey}`). */
export const patchRole: typeof definePatchRole = /* @__PURE__ */ writingOperation(definePatchRole)
/** Update the instructions or the time of a scheduled change; the caller becomes its author (`PATCH /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes/{id}`). */
export const patchScheduledChange: typeof definePatchScheduledChange = /* @__PURE__ */ writingOperation(definePatchScheduledChange)
/** Update an SDK key of an environment; `expiry` null lets it never expire (`PATCH /api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys/{sdkKeyKey}`). */
export const patchSdkKeyByKey: typeof definePatchSdkKeyByKey = /* @__PURE__ */ writingOperation(definePatchSdkKeyByKey)
/** Update a segment (`PATCH /api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}`). */
export const patchSegment: typeof definePatchSegment = /* @__PURE__ */ writingOperation(definePatchSegment)
/** Update a team; the update applies to its members immediately (`PATCH /api/v2/teams/{teamKey}`). */
export const patchTeam: typeof definePatchTeam = /* @__PURE__ */ writingOperation(definePatchTeam)
/** Add members to several teams, to all of them or none; the update applies to the members immediately (`PATCH /api/v2/teams`). */
export const patchTeams: typeof definePatchTeams = /* @__PURE__ */ writingOperation(definePatchTeams)
/** Update an access token (`PATCH /api/v2/tokens/{id}`). */
export const patchToken: typeof definePatchToken = /* @__PURE__ */ writingOperation(definePatchToken)
/** Update a view; a new maintainer replaces the old one (`PATCH /api/v2/projects/{projectKey}/views/{viewKey}`). */
export const patchView: typeof definePatchView = /* @__PURE__ */ writingOperation(definePatchView)
/** Update a webhook; after a change of the secret, the old one also signs messages for a day; without a secret, messages are not signed (`PATCH /api/v2/webhooks/{id}`). */
export const patchWebhook: typeof definePatchWebhook = /* @__PURE__ */ writingOperation(definePatchWebhook)
/** Create a holdout, and the segment of its contexts (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts`). */
export const postHoldout: typeof definePostHoldout = /* @__PURE__ */ writingOperation(definePostHoldout)
/** Add a member to teams, to all of them or none (`POST /api/v2/members/{id}/teams`). */
export const postMemberTeams: typeof definePostMemberTeams = /* @__PURE__ */ writingOperation(definePostMemberTeams)
/** Create a metric (`POST /api/v2/metrics/{projectKey}`). */
export const postMetric: typeof definePostMetric = /* @__PURE__ */ writingOperation(definePostMetric)
/** List the data safety issues that a patch of a migration flag would cause, without changing anything (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/migration-safety-issues`). */
export const postMigrationSafetyIssues: typeof definePostMigrationSafetyIssues = /* @__PURE__ */ writingOperation(definePostMigrationSafetyIssues)
/** Create a Relay Proxy configuration; only this response contains its key (`POST /api/v2/account/relay-auto-configs`). */
export const postRelayAutoConfig: typeof definePostRelayAutoConfig = /* @__PURE__ */ writingOperation(definePostRelayAutoConfig)
/** Create an SDK key of an environment, which SDKs can use until it expires or is deleted (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys`). */
export const postSdkKey: typeof definePostSdkKey = /* @__PURE__ */ writingOperation(definePostSdkKey)
/** Create a workflow of a flag in an environment, from stages or from a template; its stages run with the rights that the caller has at that time (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows`). */
export const postWorkflow: typeof definePostWorkflow = /* @__PURE__ */ writingOperation(definePostWorkflow)
/** Replace the references of a branch, or create the branch (`PUT /api/v2/code-refs/repositories/{repo}/branches/{branch}`). */
export const putBranch: typeof definePutBranch = /* @__PURE__ */ writingOperation(definePutBranch)
/** Set the value that a flag has for a context, which becomes an individual target; null removes the setting (`PUT /api/v2/projects/{projectKey}/environments/{environmentKey}/contexts/{contextKind}/{contextKey}/flags/{flagKey}`). */
export const putContextFlagSetting: typeof definePutContextFlagSetting = /* @__PURE__ */ writingOperation(definePutContextFlagSetting)
/** Create or replace a context kind (`PUT /api/v2/projects/{projectKey}/context-kinds/{key}`). */
export const putContextKind: typeof definePutContextKind = /* @__PURE__ */ writingOperation(definePutContextKind)
/** Replace the units by which the experiments of a project randomize (`PUT /api/v2/projects/{projectKey}/experimentation-settings`). */
export const putExperimentationSettings: typeof definePutExperimentationSettings = /* @__PURE__ */ writingOperation(definePutExperimentationSettings)
/** Replace the defaults of new flags of a project (`PUT /api/v2/projects/{projectKey}/flag-defaults`). */
export const putFlagDefaults: typeof definePutFlagDefaults = /* @__PURE__ */ writingOperation(definePutFlagDefaults)
/** Add a member to the followers of a flag in an environment; a caller who adds another member needs `manageFlagFollowers` (`PUT /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/followers/{memberId}`). */
export const putFlagFollower: typeof definePutFlagFollower = /* @__PURE__ */ writingOperation(definePutFlagFollower)
/** Set the value that a flag has for a user, who becomes an individual target; null removes the setting (`PUT /api/v2/users/{projectKey}/{environmentKey}/{userKey}/flags/{flagKey}`). */
export const putFlagSetting: typeof definePutFlagSetting = /* @__PURE__ */ writingOperation(definePutFlagSetting)
/** Start, pause or complete a phase of the release of a feature flag (`PUT /api/v2/projects/{projectKey}/flags/{flagKey}/release/phases/{phaseId}`). */
export const putPhaseStatus: typeof definePutPhaseStatus = /* @__PURE__ */ writingOperation(definePutPhaseStatus)
/** Create or replace the release of a boolean feature flag in a release pipeline (`PUT /api/v2/projects/{projectKey}/flags/{flagKey}/release`). */
export const putRelease: typeof definePutRelease = /* @__PURE__ */ writingOperation(definePutRelease)
/** Replace a release pipeline; omitted properties are reset (`PUT /api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}`). */
export const putReleasePipeline: typeof definePutReleasePipeline = /* @__PURE__ */ writingOperation(definePutReleasePipeline)
/** Replace a release policy; omitted properties are reset (`PUT /api/v2/projects/{projectKey}/release-policies/{policyKey}`). */
export const putReleasePolicy: typeof definePutReleasePolicy = /* @__PURE__ */ writingOperation(definePutReleasePolicy)
/** Send the pending events of a destination immediately, and the changes of a time range again; changes that are still pending are not counted (`POST /api/v2/destinations/{projectKey}/{environmentKey}/{id}/replay`). */
export const replayDestination: typeof defineReplayDestination = /* @__PURE__ */ writingOperation(defineReplayDestination)
/** Replay the changes of a time range that the current statements select; deliveries that are pending are not counted (`POST /api/v2/webhooks/{id}/replay`). */
export const replayWebhook: typeof defineReplayWebhook = /* @__PURE__ */ writingOperation(defineReplayWebhook)
/** Replay a delivery immediately, with the same id (`POST /api/v2/webhooks/{id}/deliveries/{deliveryId}/replay`). */
export const replayWebhookDelivery: typeof defineReplayWebhookDelivery = /* @__PURE__ */ writingOperation(defineReplayWebhookDelivery)
/** Reset the mobile SDK key; the old key becomes invalid immediately (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/mobileKey`). */
export const resetMobileKey: typeof defineResetMobileKey = /* @__PURE__ */ writingOperation(defineResetMobileKey)
/** Reset the key of a Relay Proxy configuration; only this response contains the new key, and the old key works until `expiry` or, by default, stops working immediately (`POST /api/v2/account/relay-auto-configs/{id}/reset`). */
export const resetRelayAutoConfig: typeof defineResetRelayAutoConfig = /* @__PURE__ */ writingOperation(defineResetRelayAutoConfig)
/** Reset the server-side SDK key; the old key stays valid until `expiry`, or becomes invalid immediately (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/apiKey`). */
export const resetSdkKey: typeof defineResetSdkKey = /* @__PURE__ */ writingOperation(defineResetSdkKey)
/** Reset the value of an access token; only this response contains the new value, and the old value works until `expiry` or, by default, stops working immediately (`POST /api/v2/tokens/{id}/reset`). */
export const resetToken: typeof defineResetToken = /* @__PURE__ */ writingOperation(defineResetToken)
/** Revert an entry of the change log: the reverted call is undone with the rights of the caller (`POST /api/v2/auditlog/{id}/revert`). */
export const revertChangeLogEntry: typeof defineRevertChangeLogEntry = /* @__PURE__ */ writingOperation(defineRevertChangeLogEntry)
/** Review an approval request: approve, decline or comment (`POST /api/v2/approval-requests/{id}/reviews`). */
export const reviewApprovalRequest: typeof defineReviewApprovalRequest = /* @__PURE__ */ writingOperation(defineReviewApprovalRequest)
/** Review an approval request of a flag: approve, decline or comment (`POST /api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}/reviews`). */
export const reviewApprovalRequestForFlag: typeof defineReviewApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineReviewApprovalRequestForFlag)
/** List the entries of the change log that policy statements select, newest first; without statements all entries (`POST /api/v2/auditlog`). */
export const searchChangeLog: typeof defineSearchChangeLog = /* @__PURE__ */ writingOperation(defineSearchChangeLog)
/** Search the combinations of contexts that were seen in an environment; the search is in the query or in the body, not in both (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances/search`). */
export const searchContextInstances: typeof defineSearchContextInstances = /* @__PURE__ */ writingOperation(defineSearchContextInstances)
/** Search the contexts that were seen in an environment, each of one kind; the search is in the query or in the body, not in both (`POST /api/v2/projects/{projectKey}/environments/{environmentKey}/contexts/search`). */
export const searchContexts: typeof defineSearchContexts = /* @__PURE__ */ writingOperation(defineSearchContexts)
/** Show what a list of changes would do, which contexts would get another variation, and what requires approval (`POST /api/v2/changes/simulation`). */
export const simulateChanges: typeof defineSimulateChanges = /* @__PURE__ */ writingOperation(defineSimulateChanges)
/** Test a webhook by a signed message of the kind `ping` (`POST /api/v2/webhooks/{id}/test`). */
export const testWebhook: typeof defineTestWebhook = /* @__PURE__ */ writingOperation(defineTestWebhook)
/** Unlink flags or segments from a view, by name or by a filter that is evaluated once (`DELETE /api/v2/projects/{projectKey}/views/{viewKey}/link/{resourceType}`). */
export const unlinkResource: typeof defineUnlinkResource = /* @__PURE__ */ writingOperation(defineUnlinkResource)
/** Update the contexts of a big segment (`POST /api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/contexts`). */
export const updateBigSegmentContextTargets: typeof defineUpdateBigSegmentContextTargets = /* @__PURE__ */ writingOperation(defineUpdateBigSegmentContextTargets)
/** Update the users of a big segment (`POST /api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/users`). */
export const updateBigSegmentTargets: typeof defineUpdateBigSegmentTargets = /* @__PURE__ */ writingOperation(defineUpdateBigSegmentTargets)
/** Update a link of a flag (`PATCH /api/v2/flag-links/projects/{projectKey}/flags/{flagKey}/{id}`). */
export const updateFlagLink: typeof defineUpdateFlagLink = /* @__PURE__ */ writingOperation(defineUpdateFlagLink)
/** Update a layer, and the traffic that it reserves for experiments (`PATCH /api/v2/projects/{projectKey}/layers/{layerKey}`). */
export const updateLayer: typeof defineUpdateLayer = /* @__PURE__ */ writingOperation(defineUpdateLayer)
export { getAIConfig } from '../resources/ai-configs/get-ai-config.ts'
export { getAIConfigMetrics } from '../resources/ai-config-metrics/get-ai-config-metrics.ts'
export { getAIConfigMetricsByVariation } from '../resources/ai-config-metrics/get-ai-config-metrics-by-variation.ts'
export { getAIConfigQuickStats } from '../resources/ai-config-metrics/get-ai-config-quick-stats.ts'
export { getAIConfigTargeting } from '../resources/ai-configs/targeting/get-ai-config-targeting.ts'
export { getAIConfigVariation } from '../resources/ai-configs/variations/get-ai-config-variation.ts'
export { getAITool } from '../resources/ai-tools/get-ai-tool.ts'
export { getAccountApplication } from '../resources/applications/across-environments/get-account-application.ts'
export { getAccountApplications } from '../resources/applications/across-environments/get-account-applications.ts'
export { getAgentGraph } from '../resources/agent-graphs/get-agent-graph.ts'
export { getAgentOptimization } from '../resources/agent-optimizations/get-agent-optimization.ts'
export { getAgentSkill } from '../resources/agent-skills/get-agent-skill.ts'
export { getAllHoldouts } from '../resources/holdouts/get-all-holdouts.ts'
export { getApplication } from '../resources/applications/get-application.ts'
export { getApplicationVersions } from '../resources/applications/across-environments/get-application-versions.ts'
export { getApprovalRequest } from '../resources/approval-requests/get-approval-request.ts'
export { getApprovalRequestForFlag } from '../resources/approval-requests/for-flag/get-approval-request-for-flag.ts'
export { getApprovalRequestSettings } from '../resources/approval-requests/settings/get-approval-request-settings.ts'
export { getAutomatedRelease } from '../resources/automated-releases/get-automated-release.ts'
export { getAutomatedReleaseResults } from '../resources/automated-releases/get-automated-release-results.ts'
export { getBigSegmentExport } from '../resources/segments/exports/get-big-segment-export.ts'
export { getBigSegmentExportFile } from '../resources/segments/exports/get-big-segment-export-file.ts'
export { getBigSegmentImport } from '../resources/segments/imports/get-big-segment-import.ts'
export { getBranch } from '../resources/code-references/get-branch.ts'
export { getCallerIdentity } from '../resources/api-root/get-caller-identity.ts'
export { getChangeLogEntry } from '../resources/change-log/get-change-log-entry.ts'
export { getContextAttributeNames } from '../resources/contexts/get-context-attribute-names.ts'
export { getContextAttributeValues } from '../resources/contexts/get-context-attribute-values.ts'
export { getContextInstances } from '../resources/contexts/get-context-instances.ts'
export { getContexts } from '../resources/contexts/get-contexts.ts'
export { getCustomWorkflow } from '../resources/workflows/get-custom-workflow.ts'
export { getDeployment } from '../resources/deployments/get-deployment.ts'
export { getDeploymentFrequencyChart } from '../resources/insight-charts/get-deployment-frequency-chart.ts'
export { getDestination } from '../resources/destinations/get-destination.ts'
export { getEnvironment } from '../resources/environments/get-environment.ts'
export { getEvaluationsUsage } from '../resources/flag-evaluations/get-evaluations-usage.ts'
export { getExperiment } from '../resources/experiments/get-experiment.ts'
export { getExperimentAnalysis } from '../resources/experiments/get-experiment-analysis.ts'
export { getExperimentResults } from '../resources/experiments/get-experiment-results.ts'
export { getExperimentResultsForMetricGroup } from '../resources/experiments/get-experiment-results-for-metric-group.ts'
export { getExperimentationSettings } from '../resources/experimentation-settings/get-experimentation-settings.ts'
export { getExperiments } from '../resources/experiments/get-experiments.ts'
export { getExperimentsAnyEnv } from '../resources/experiments/get-experiments-any-env.ts'
export { getExpiringFlagsForUser } from '../resources/flags/expiring-targets/get-expiring-flags-for-user.ts'
export { getExpiringTargets } from '../resources/flags/expiring-targets/get-expiring-targets.ts'
export { getExpiringTargetsForSegment } from '../resources/segments/expiring-targets/get-expiring-targets-for-segment.ts'
export { getExpiringUserTargets } from '../resources/flags/expiring-targets/get-expiring-user-targets.ts'
export { getExpiringUserTargetsForSegment } from '../resources/segments/expiring-targets/get-expiring-user-targets-for-segment.ts'
export { getFlag } from '../resources/flags/get-flag.ts'
export { getFlagDefaults } from '../resources/flag-defaults/get-flag-defaults.ts'
export { getFlagFollowers } from '../resources/flag-followers/get-flag-followers.ts'
export { getFlagManifest } from '../resources/flag-manifest/get-flag-manifest.ts'
export { getFlagStatus } from '../resources/flags/statuses/get-flag-status.ts'
export { getFlagStatusAcrossEnvironments } from '../resources/flags/statuses/get-flag-status-across-environments.ts'
export { getFlagStatusChart } from '../resources/insight-charts/get-flag-status-chart.ts'
export { getFlagTrigger } from '../resources/flag-triggers/get-flag-trigger.ts'
export { getFollowersByProjEnv } from '../resources/flag-followers/get-followers-by-proj-env.ts'
export { getHoldout } from '../resources/holdouts/get-holdout.ts'
export { getHoldoutById } from '../resources/holdouts/get-holdout-by-id.ts'
export { getHoldoutResults } from '../resources/holdouts/get-holdout-results.ts'
export { getInsightGroup } from '../resources/insight-groups/get-insight-group.ts'
export { getInsightsScores } from '../resources/insight-groups/get-insights-scores.ts'
export { getIpAllowlist } from '../resources/ip-allowlist/get-ip-allowlist.ts'
export { getLayers } from '../resources/layers/get-layers.ts'
export { getLeadTimeChart } from '../resources/lead-time/get-lead-time-chart.ts'
export { getMember } from '../resources/members/get-member.ts'
export { getMetric } from '../resources/metrics/get-metric.ts'
export { getMetricGroup } from '../resources/metric-groups/get-metric-group.ts'
export { getMetricGroups } from '../resources/metric-groups/get-metric-groups.ts'
export { getMetrics } from '../resources/metrics/get-metrics.ts'
export { getModelConfig } from '../resources/ai-model-configs/get-model-config.ts'
export { getOAuthClient } from '../resources/oauth-clients/get-oauth-client.ts'
export { getOAuthGrant } from '../resources/oauth-grants/get-oauth-grant.ts'
export { getProject } from '../resources/projects/get-project.ts'
export { getPromptSnippet } from '../resources/prompt-snippets/get-prompt-snippet.ts'
export { getRelayProxyConfig } from '../resources/relay-configs/get-relay-proxy-config.ts'
export { getRelayProxyConfigs } from '../resources/relay-configs/get-relay-proxy-configs.ts'
export { getRelease } from '../resources/releases/get-release.ts'
export { getReleaseFrequencyChart } from '../resources/insight-charts/get-release-frequency-chart.ts'
export { getReleasePipeline } from '../resources/release-pipelines/get-release-pipeline.ts'
export { getReleasePolicy } from '../resources/release-policies/get-release-policy.ts'
export { getRepository } from '../resources/code-references/get-repository.ts'
export { getRole } from '../resources/roles/get-role.ts'
export { getRoot } from '../resources/api-root/get-root.ts'
export { getRootStatistics } from '../resources/code-references/get-root-statistics.ts'
export { getScheduledChange } from '../resources/scheduled-changes/get-scheduled-change.ts'
export { getSdkKeyByKey } from '../resources/sdk-keys/get-sdk-key-by-key.ts'
export { getSdkKeys } from '../resources/sdk-keys/get-sdk-keys.ts'
export { getSearchUsers } from '../resources/contexts/users/get-search-users.ts'
export { getSegment } from '../resources/segments/get-segment.ts'
export { getSegmentMembershipForContext } from '../resources/segments/big/get-segment-membership-for-context.ts'
export { getSegmentMembershipForUser } from '../resources/segments/big/get-segment-membership-for-user.ts'
export { getStaleFlagsChart } from '../resources/insight-charts/get-stale-flags-chart.ts'
export { getStatistics } from '../resources/code-references/get-statistics.ts'
export { getTeam } from '../resources/teams/get-team.ts'
export { getToken } from '../resources/tokens/get-token.ts'
export { getUser } from '../resources/contexts/users/get-user.ts'
export { getUserAttributeNames } from '../resources/contexts/users/get-user-attribute-names.ts'
export { getUserFlagSetting } from '../resources/contexts/user-settings/get-user-flag-setting.ts'
export { getUserFlagSettings } from '../resources/contexts/user-settings/get-user-flag-settings.ts'
export { getUsers } from '../resources/contexts/users/get-users.ts'
export { getVersions } from '../resources/api-root/get-versions.ts'
export { getView } from '../resources/views/get-view.ts'
export { getWebhook } from '../resources/webhooks/get-webhook.ts'
export { getWebhookDelivery } from '../resources/webhooks/get-webhook-delivery.ts'
export { getWorkflowTemplates } from '../resources/workflow-templates/get-workflow-templates.ts'
export { getWorkflows } from '../resources/workflows/get-workflows.ts'
export { listAIConfigs } from '../resources/ai-configs/list-ai-configs.ts'
export { listAIToolReferences } from '../resources/ai-tools/list-ai-tool-references.ts'
export { listAIToolVersions } from '../resources/ai-tools/list-ai-tool-versions.ts'
export { listAITools } from '../resources/ai-tools/list-ai-tools.ts'
export { listAgentGraphs } from '../resources/agent-graphs/list-agent-graphs.ts'
export { listAgentOptimizationResults } from '../resources/agent-optimizations/list-agent-optimization-results.ts'
export { listAgentOptimizationResultsByRunId } from '../resources/agent-optimizations/list-agent-optimization-results-by-run-id.ts'
export { listAgentOptimizationRuns } from '../resources/agent-optimizations/list-agent-optimization-runs.ts'
export { listAgentOptimizations } from '../resources/agent-optimizations/list-agent-optimizations.ts'
export { listAgentSkillReferences } from '../resources/agent-skills/list-agent-skill-references.ts'
export { listAgentSkillVersions } from '../resources/agent-skills/list-agent-skill-versions.ts'
export { listAgentSkills } from '../resources/agent-skills/list-agent-skills.ts'
export { listAllAgentOptimizationResults } from '../resources/agent-optimizations/list-all-agent-optimization-results.ts'
export { listApplications } from '../resources/applications/list-applications.ts'
export { listApprovalRequests } from '../resources/approval-requests/list-approval-requests.ts'
export { listApprovalRequestsForFlag } from '../resources/approval-requests/for-flag/list-approval-requests-for-flag.ts'
export { listAutomatedReleases } from '../resources/automated-releases/list-automated-releases.ts'
export { listBranches } from '../resources/code-references/list-branches.ts'
export { listChangeLog } from '../resources/change-log/list-change-log.ts'
export { listContextKinds } from '../resources/context-kinds/list-context-kinds.ts'
export { listDependentFlags } from '../resources/flags/dependents/list-dependent-flags.ts'
export { listDependentFlagsByEnvironment } from '../resources/flags/dependents/list-dependent-flags-by-environment.ts'
export { listDeployments } from '../resources/deployments/list-deployments.ts'
export { listDestinationDeliveries } from '../resources/destinations/list-destination-deliveries.ts'
export { listDestinations } from '../resources/destinations/list-destinations.ts'
export { listEnvironments } from '../resources/environments/list-environments.ts'
export { listExtinctions } from '../resources/code-references/list-extinctions.ts'
export { listFlagEvents } from '../resources/flag-events/list-flag-events.ts'
export { listFlagLinks } from '../resources/flag-links/list-flag-links.ts'
export { listFlagStatuses } from '../resources/flags/statuses/list-flag-statuses.ts'
export { listFlagTriggers } from '../resources/flag-triggers/list-flag-triggers.ts'
export { listFlags } from '../resources/flags/list-flags.ts'
export { listInsightGroups } from '../resources/insight-groups/list-insight-groups.ts'
export { listInsightRepositories } from '../resources/insight-repositories/list-insight-repositories.ts'
export { listLinkedResources } from '../resources/views/list-linked-resources.ts'
export { listLinkedViews } from '../resources/views/list-linked-views.ts'
export { listMembers } from '../resources/members/list-members.ts'
export { listModelConfigVersions } from '../resources/ai-model-configs/list-model-config-versions.ts'
export { listModelConfigs } from '../resources/ai-model-configs/list-model-configs.ts'
export { listOAuthClients } from '../resources/oauth-clients/list-oauth-clients.ts'
export { listOAuthGrants } from '../resources/oauth-grants/list-oauth-grants.ts'
export { listProjects } from '../resources/projects/list-projects.ts'
export { listPromptSnippetReferences } from '../resources/prompt-snippets/list-prompt-snippet-references.ts'
export { listPromptSnippetVersions } from '../resources/prompt-snippets/list-prompt-snippet-versions.ts'
export { listPromptSnippets } from '../resources/prompt-snippets/list-prompt-snippets.ts'
export { listPullRequests } from '../resources/pull-requests/list-pull-requests.ts'
export { listReleasePipelines } from '../resources/release-pipelines/list-release-pipelines.ts'
export { listReleasePolicies } from '../resources/release-policies/list-release-policies.ts'
export { listReleases } from '../resources/releases/list-releases.ts'
export { listRepositories } from '../resources/code-references/list-repositories.ts'
export { listRoles } from '../resources/roles/list-roles.ts'
export { listScheduledChanges } from '../resources/scheduled-changes/list-scheduled-changes.ts'
export { listSegments } from '../resources/segments/list-segments.ts'
export { listTags } from '../resources/api-root/list-tags.ts'
export { listTeamMaintainers } from '../resources/teams/list-team-maintainers.ts'
export { listTeamRoles } from '../resources/teams/list-team-roles.ts'
export { listTeams } from '../resources/teams/list-teams.ts'
export { listTokens } from '../resources/tokens/list-tokens.ts'
export { listViews } from '../resources/views/list-views.ts'
export { listWebhookDeliveries } from '../resources/webhooks/list-webhook-deliveries.ts'
export { listWebhooks } from '../resources/webhooks/list-webhooks.ts'
