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
export const acceptInvitation: typeof defineAcceptInvitation = /* @__PURE__ */ writingOperation(defineAcceptInvitation)
export const applyApprovalRequest: typeof defineApplyApprovalRequest = /* @__PURE__ */ writingOperation(defineApplyApprovalRequest)
export const applyApprovalRequestForFlag: typeof defineApplyApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineApplyApprovalRequestForFlag)
export const applyChanges: typeof defineApplyChanges = /* @__PURE__ */ writingOperation(defineApplyChanges)
export const associateRepositoriesAndProjects: typeof defineAssociateRepositoriesAndProjects = /* @__PURE__ */ writingOperation(defineAssociateRepositoriesAndProjects)
export const copyFlag: typeof defineCopyFlag = /* @__PURE__ */ writingOperation(defineCopyFlag)
export const countChangeLog: typeof defineCountChangeLog = /* @__PURE__ */ writingOperation(defineCountChangeLog)
export const createAIConfig: typeof defineCreateAIConfig = /* @__PURE__ */ writingOperation(defineCreateAIConfig)
export const createAIConfigVariation: typeof defineCreateAIConfigVariation = /* @__PURE__ */ writingOperation(defineCreateAIConfigVariation)
export const createAITool: typeof defineCreateAITool = /* @__PURE__ */ writingOperation(defineCreateAITool)
export const createAgentGraph: typeof defineCreateAgentGraph = /* @__PURE__ */ writingOperation(defineCreateAgentGraph)
export const createAgentOptimization: typeof defineCreateAgentOptimization = /* @__PURE__ */ writingOperation(defineCreateAgentOptimization)
export const createAgentOptimizationResult: typeof defineCreateAgentOptimizationResult = /* @__PURE__ */ writingOperation(defineCreateAgentOptimizationResult)
export const createAgentSkill: typeof defineCreateAgentSkill = /* @__PURE__ */ writingOperation(defineCreateAgentSkill)
export const createApprovalRequest: typeof defineCreateApprovalRequest = /* @__PURE__ */ writingOperation(defineCreateApprovalRequest)
export const createApprovalRequestForFlag: typeof defineCreateApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineCreateApprovalRequestForFlag)
export const createBigSegmentExport: typeof defineCreateBigSegmentExport = /* @__PURE__ */ writingOperation(defineCreateBigSegmentExport)
export const createBigSegmentImport: typeof defineCreateBigSegmentImport = /* @__PURE__ */ writingOperation(defineCreateBigSegmentImport)
export const createCommits: typeof defineCreateCommits = /* @__PURE__ */ writingOperation(defineCreateCommits)
export const createContextInstances: typeof defineCreateContextInstances = /* @__PURE__ */ writingOperation(defineCreateContextInstances)
export const createDeploymentEvent: typeof defineCreateDeploymentEvent = /* @__PURE__ */ writingOperation(defineCreateDeploymentEvent)
export const createDeploymentEvents: typeof defineCreateDeploymentEvents = /* @__PURE__ */ writingOperation(defineCreateDeploymentEvents)
export const createDestination: typeof defineCreateDestination = /* @__PURE__ */ writingOperation(defineCreateDestination)
export const createEnvironment: typeof defineCreateEnvironment = /* @__PURE__ */ writingOperation(defineCreateEnvironment)
export const createExperiment: typeof defineCreateExperiment = /* @__PURE__ */ writingOperation(defineCreateExperiment)
export const createExtinctions: typeof defineCreateExtinctions = /* @__PURE__ */ writingOperation(defineCreateExtinctions)
export const createFlag: typeof defineCreateFlag = /* @__PURE__ */ writingOperation(defineCreateFlag)
export const createFlagCopyApprovalRequest: typeof defineCreateFlagCopyApprovalRequest = /* @__PURE__ */ writingOperation(defineCreateFlagCopyApprovalRequest)
export const createFlagEvents: typeof defineCreateFlagEvents = /* @__PURE__ */ writingOperation(defineCreateFlagEvents)
export const createFlagLink: typeof defineCreateFlagLink = /* @__PURE__ */ writingOperation(defineCreateFlagLink)
export const createFlagTrigger: typeof defineCreateFlagTrigger = /* @__PURE__ */ writingOperation(defineCreateFlagTrigger)
export const createInsightGroup: typeof defineCreateInsightGroup = /* @__PURE__ */ writingOperation(defineCreateInsightGroup)
export const createIpAllowlistEntry: typeof defineCreateIpAllowlistEntry = /* @__PURE__ */ writingOperation(defineCreateIpAllowlistEntry)
export const createIteration: typeof defineCreateIteration = /* @__PURE__ */ writingOperation(defineCreateIteration)
export const createLayer: typeof defineCreateLayer = /* @__PURE__ */ writingOperation(defineCreateLayer)
export const createLeadTimeSamples: typeof defineCreateLeadTimeSamples = /* @__PURE__ */ writingOperation(defineCreateLeadTimeSamples)
export const createMembers: typeof defineCreateMembers = /* @__PURE__ */ writingOperation(defineCreateMembers)
export const createMetricGroup: typeof defineCreateMetricGroup = /* @__PURE__ */ writingOperation(defineCreateMetricGroup)
export const createModelConfig: typeof defineCreateModelConfig = /* @__PURE__ */ writingOperation(defineCreateModelConfig)
export const createOAuthClient: typeof defineCreateOAuthClient = /* @__PURE__ */ writingOperation(defineCreateOAuthClient)
export const createOAuthGrant: typeof defineCreateOAuthGrant = /* @__PURE__ */ writingOperation(defineCreateOAuthGrant)
export const createProject: typeof defineCreateProject = /* @__PURE__ */ writingOperation(defineCreateProject)
export const createPromptSnippet: typeof defineCreatePromptSnippet = /* @__PURE__ */ writingOperation(defineCreatePromptSnippet)
export const createPullRequests: typeof defineCreatePullRequests = /* @__PURE__ */ writingOperation(defineCreatePullRequests)
export const createReleasePipeline: typeof defineCreateReleasePipeline = /* @__PURE__ */ writingOperation(defineCreateReleasePipeline)
export const createReleasePolicy: typeof defineCreateReleasePolicy = /* @__PURE__ */ writingOperation(defineCreateReleasePolicy)
export const createRepository: typeof defineCreateRepository = /* @__PURE__ */ writingOperation(defineCreateRepository)
export const createRestrictedModels: typeof defineCreateRestrictedModels = /* @__PURE__ */ writingOperation(defineCreateRestrictedModels)
export const createRole: typeof defineCreateRole = /* @__PURE__ */ writingOperation(defineCreateRole)
export const createScheduledChange: typeof defineCreateScheduledChange = /* @__PURE__ */ writingOperation(defineCreateScheduledChange)
export const createSegment: typeof defineCreateSegment = /* @__PURE__ */ writingOperation(defineCreateSegment)
export const createTeam: typeof defineCreateTeam = /* @__PURE__ */ writingOperation(defineCreateTeam)
export const createToken: typeof defineCreateToken = /* @__PURE__ */ writingOperation(defineCreateToken)
export const createView: typeof defineCreateView = /* @__PURE__ */ writingOperation(defineCreateView)
export const createWebhook: typeof defineCreateWebhook = /* @__PURE__ */ writingOperation(defineCreateWebhook)
export const createWorkflowTemplate: typeof defineCreateWorkflowTemplate = /* @__PURE__ */ writingOperation(defineCreateWorkflowTemplate)
export const deleteAIConfig: typeof defineDeleteAIConfig = /* @__PURE__ */ writingOperation(defineDeleteAIConfig)
export const deleteAIConfigVariation: typeof defineDeleteAIConfigVariation = /* @__PURE__ */ writingOperation(defineDeleteAIConfigVariation)
export const deleteAITool: typeof defineDeleteAITool = /* @__PURE__ */ writingOperation(defineDeleteAITool)
export const deleteAccountApplication: typeof defineDeleteAccountApplication = /* @__PURE__ */ writingOperation(defineDeleteAccountApplication)
export const deleteAgentGraph: typeof defineDeleteAgentGraph = /* @__PURE__ */ writingOperation(defineDeleteAgentGraph)
export const deleteAgentOptimization: typeof defineDeleteAgentOptimization = /* @__PURE__ */ writingOperation(defineDeleteAgentOptimization)
export const deleteAgentOptimizationRun: typeof defineDeleteAgentOptimizationRun = /* @__PURE__ */ writingOperation(defineDeleteAgentOptimizationRun)
export const deleteAgentSkill: typeof defineDeleteAgentSkill = /* @__PURE__ */ writingOperation(defineDeleteAgentSkill)
export const deleteApplication: typeof defineDeleteApplication = /* @__PURE__ */ writingOperation(defineDeleteApplication)
export const deleteApplicationVersion: typeof defineDeleteApplicationVersion = /* @__PURE__ */ writingOperation(defineDeleteApplicationVersion)
export const deleteApprovalRequest: typeof defineDeleteApprovalRequest = /* @__PURE__ */ writingOperation(defineDeleteApprovalRequest)
export const deleteApprovalRequestForFlag: typeof defineDeleteApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineDeleteApprovalRequestForFlag)
export const deleteBranches: typeof defineDeleteBranches = /* @__PURE__ */ writingOperation(defineDeleteBranches)
export const deleteContextInstances: typeof defineDeleteContextInstances = /* @__PURE__ */ writingOperation(defineDeleteContextInstances)
export const deleteDeployment: typeof defineDeleteDeployment = /* @__PURE__ */ writingOperation(defineDeleteDeployment)
export const deleteDestination: typeof defineDeleteDestination = /* @__PURE__ */ writingOperation(defineDeleteDestination)
export const deleteEnvironment: typeof defineDeleteEnvironment = /* @__PURE__ */ writingOperation(defineDeleteEnvironment)
export const deleteFlag: typeof defineDeleteFlag = /* @__PURE__ */ writingOperation(defineDeleteFlag)
export const deleteFlagFollower: typeof defineDeleteFlagFollower = /* @__PURE__ */ writingOperation(defineDeleteFlagFollower)
export const deleteFlagLink: typeof defineDeleteFlagLink = /* @__PURE__ */ writingOperation(defineDeleteFlagLink)
export const deleteFlagTrigger: typeof defineDeleteFlagTrigger = /* @__PURE__ */ writingOperation(defineDeleteFlagTrigger)
export const deleteInsightGroup: typeof defineDeleteInsightGroup = /* @__PURE__ */ writingOperation(defineDeleteInsightGroup)
export const deleteIpAllowlistEntry: typeof defineDeleteIpAllowlistEntry = /* @__PURE__ */ writingOperation(defineDeleteIpAllowlistEntry)
export const deleteMember: typeof defineDeleteMember = /* @__PURE__ */ writingOperation(defineDeleteMember)
export const deleteMetric: typeof defineDeleteMetric = /* @__PURE__ */ writingOperation(defineDeleteMetric)
export const deleteMetricGroup: typeof defineDeleteMetricGroup = /* @__PURE__ */ writingOperation(defineDeleteMetricGroup)
export const deleteModelConfig: typeof defineDeleteModelConfig = /* @__PURE__ */ writingOperation(defineDeleteModelConfig)
export const deleteOAuthClient: typeof defineDeleteOAuthClient = /* @__PURE__ */ writingOperation(defineDeleteOAuthClient)
export const deleteOAuthGrant: typeof defineDeleteOAuthGrant = /* @__PURE__ */ writingOperation(defineDeleteOAuthGrant)
export const deleteProject: typeof defineDeleteProject = /* @__PURE__ */ writingOperation(defineDeleteProject)
export const deletePromptSnippet: typeof defineDeletePromptSnippet = /* @__PURE__ */ writingOperation(defineDeletePromptSnippet)
export const deleteRelayAutoConfig: typeof defineDeleteRelayAutoConfig = /* @__PURE__ */ writingOperation(defineDeleteRelayAutoConfig)
export const deleteRelease: typeof defineDeleteRelease = /* @__PURE__ */ writingOperation(defineDeleteRelease)
export const deleteReleasePipeline: typeof defineDeleteReleasePipeline = /* @__PURE__ */ writingOperation(defineDeleteReleasePipeline)
export const deleteReleasePolicy: typeof defineDeleteReleasePolicy = /* @__PURE__ */ writingOperation(defineDeleteReleasePolicy)
export const deleteRepository: typeof defineDeleteRepository = /* @__PURE__ */ writingOperation(defineDeleteRepository)
export const deleteRepositoryProject: typeof defineDeleteRepositoryProject = /* @__PURE__ */ writingOperation(defineDeleteRepositoryProject)
export const deleteRestrictedModels: typeof defineDeleteRestrictedModels = /* @__PURE__ */ writingOperation(defineDeleteRestrictedModels)
export const deleteRole: typeof defineDeleteRole = /* @__PURE__ */ writingOperation(defineDeleteRole)
export const deleteScheduledChange: typeof defineDeleteScheduledChange = /* @__PURE__ */ writingOperation(defineDeleteScheduledChange)
export const deleteSdkKeyByKey: typeof defineDeleteSdkKeyByKey = /* @__PURE__ */ writingOperation(defineDeleteSdkKeyByKey)
export const deleteSegment: typeof defineDeleteSegment = /* @__PURE__ */ writingOperation(defineDeleteSegment)
export const deleteTeam: typeof defineDeleteTeam = /* @__PURE__ */ writingOperation(defineDeleteTeam)
export const deleteToken: typeof defineDeleteToken = /* @__PURE__ */ writingOperation(defineDeleteToken)
export const deleteUser: typeof defineDeleteUser = /* @__PURE__ */ writingOperation(defineDeleteUser)
export const deleteView: typeof defineDeleteView = /* @__PURE__ */ writingOperation(defineDeleteView)
export const deleteWebhook: typeof defineDeleteWebhook = /* @__PURE__ */ writingOperation(defineDeleteWebhook)
export const deleteWorkflow: typeof defineDeleteWorkflow = /* @__PURE__ */ writingOperation(defineDeleteWorkflow)
export const deleteWorkflowTemplate: typeof defineDeleteWorkflowTemplate = /* @__PURE__ */ writingOperation(defineDeleteWorkflowTemplate)
export const evaluateContextInstance: typeof defineEvaluateContextInstance = /* @__PURE__ */ writingOperation(defineEvaluateContextInstance)
export const generateTrustPolicy: typeof defineGenerateTrustPolicy = /* @__PURE__ */ writingOperation(defineGenerateTrustPolicy)
export const getContextInstanceSegmentsMembershipByEnv: typeof defineGetContextInstanceSegmentsMembershipByEnv = /* @__PURE__ */ writingOperation(defineGetContextInstanceSegmentsMembershipByEnv)
export const inviteMember: typeof defineInviteMember = /* @__PURE__ */ writingOperation(defineInviteMember)
export const invokeFlagTrigger: typeof defineInvokeFlagTrigger = /* @__PURE__ */ writingOperation(defineInvokeFlagTrigger)
export const linkResource: typeof defineLinkResource = /* @__PURE__ */ writingOperation(defineLinkResource)
export const orderReleasePolicies: typeof defineOrderReleasePolicies = /* @__PURE__ */ writingOperation(defineOrderReleasePolicies)
export const patchAIConfig: typeof definePatchAIConfig = /* @__PURE__ */ writingOperation(definePatchAIConfig)
export const patchAIConfigTargeting: typeof definePatchAIConfigTargeting = /* @__PURE__ */ writingOperation(definePatchAIConfigTargeting)
export const patchAIConfigVariation: typeof definePatchAIConfigVariation = /* @__PURE__ */ writingOperation(definePatchAIConfigVariation)
export const patchAITool: typeof definePatchAITool = /* @__PURE__ */ writingOperation(definePatchAITool)
export const patchAccountApplication: typeof definePatchAccountApplication = /* @__PURE__ */ writingOperation(definePatchAccountApplication)
export const patchAgentGraph: typeof definePatchAgentGraph = /* @__PURE__ */ writingOperation(definePatchAgentGraph)
export const patchAgentOptimization: typeof definePatchAgentOptimization = /* @__PURE__ */ writingOperation(definePatchAgentOptimization)
export const patchAgentOptimizationResult: typeof definePatchAgentOptimizationResult = /* @__PURE__ */ writingOperation(definePatchAgentOptimizationResult)
export const patchAgentSkill: typeof definePatchAgentSkill = /* @__PURE__ */ writingOperation(definePatchAgentSkill)
export const patchApplication: typeof definePatchApplication = /* @__PURE__ */ writingOperation(definePatchApplication)
export const patchApplicationVersion: typeof definePatchApplicationVersion = /* @__PURE__ */ writingOperation(definePatchApplicationVersion)
export const patchApprovalRequest: typeof definePatchApprovalRequest = /* @__PURE__ */ writingOperation(definePatchApprovalRequest)
export const patchApprovalRequestForFlag: typeof definePatchApprovalRequestForFlag = /* @__PURE__ */ writingOperation(definePatchApprovalRequestForFlag)
export const patchApprovalRequestSettings: typeof definePatchApprovalRequestSettings = /* @__PURE__ */ writingOperation(definePatchApprovalRequestSettings)
export const patchDeployment: typeof definePatchDeployment = /* @__PURE__ */ writingOperation(definePatchDeployment)
export const patchDestination: typeof definePatchDestination = /* @__PURE__ */ writingOperation(definePatchDestination)
export const patchEnvironment: typeof definePatchEnvironment = /* @__PURE__ */ writingOperation(definePatchEnvironment)
export const patchExperiment: typeof definePatchExperiment = /* @__PURE__ */ writingOperation(definePatchExperiment)
export const patchExpiringFlagsForUser: typeof definePatchExpiringFlagsForUser = /* @__PURE__ */ writingOperation(definePatchExpiringFlagsForUser)
export const patchExpiringTargets: typeof definePatchExpiringTargets = /* @__PURE__ */ writingOperation(definePatchExpiringTargets)
export const patchExpiringTargetsForSegment: typeof definePatchExpiringTargetsForSegment = /* @__PURE__ */ writingOperation(definePatchExpiringTargetsForSegment)
export const patchExpiringUserTargets: typeof definePatchExpiringUserTargets = /* @__PURE__ */ writingOperation(definePatchExpiringUserTargets)
export const patchExpiringUserTargetsForSegment: typeof definePatchExpiringUserTargetsForSegment = /* @__PURE__ */ writingOperation(definePatchExpiringUserTargetsForSegment)
export const patchFlag: typeof definePatchFlag = /* @__PURE__ */ writingOperation(definePatchFlag)
export const patchFlagDefaults: typeof definePatchFlagDefaults = /* @__PURE__ */ writingOperation(definePatchFlagDefaults)
export const patchFlagTrigger: typeof definePatchFlagTrigger = /* @__PURE__ */ writingOperation(definePatchFlagTrigger)
export const patchHoldout: typeof definePatchHoldout = /* @__PURE__ */ writingOperation(definePatchHoldout)
export const patchInsightGroup: typeof definePatchInsightGroup = /* @__PURE__ */ writingOperation(definePatchInsightGroup)
export const patchIpAllowlistConfig: typeof definePatchIpAllowlistConfig = /* @__PURE__ */ writingOperation(definePatchIpAllowlistConfig)
export const patchIpAllowlistEntry: typeof definePatchIpAllowlistEntry = /* @__PURE__ */ writingOperation(definePatchIpAllowlistEntry)
export const patchMember: typeof definePatchMember = /* @__PURE__ */ writingOperation(definePatchMember)
export const patchMembers: typeof definePatchMembers = /* @__PURE__ */ writingOperation(definePatchMembers)
export const patchMetric: typeof definePatchMetric = /* @__PURE__ */ writingOperation(definePatchMetric)
export const patchMetricGroup: typeof definePatchMetricGroup = /* @__PURE__ */ writingOperation(definePatchMetricGroup)
export const patchModelConfig: typeof definePatchModelConfig = /* @__PURE__ */ writingOperation(definePatchModelConfig)
export const patchOAuthClient: typeof definePatchOAuthClient = /* @__PURE__ */ writingOperation(definePatchOAuthClient)
export const patchProject: typeof definePatchProject = /* @__PURE__ */ writingOperation(definePatchProject)
export const patchPromptSnippet: typeof definePatchPromptSnippet = /* @__PURE__ */ writingOperation(definePatchPromptSnippet)
export const patchRelayAutoConfig: typeof definePatchRelayAutoConfig = /* @__PURE__ */ writingOperation(definePatchRelayAutoConfig)
export const patchRelease: typeof definePatchRelease = /* @__PURE__ */ writingOperation(definePatchRelease)
export const patchReleasePipeline: typeof definePatchReleasePipeline = /* @__PURE__ */ writingOperation(definePatchReleasePipeline)
export const patchRepository: typeof definePatchRepository = /* @__PURE__ */ writingOperation(definePatchRepository)
export const patchRole: typeof definePatchRole = /* @__PURE__ */ writingOperation(definePatchRole)
export const patchScheduledChange: typeof definePatchScheduledChange = /* @__PURE__ */ writingOperation(definePatchScheduledChange)
export const patchSdkKeyByKey: typeof definePatchSdkKeyByKey = /* @__PURE__ */ writingOperation(definePatchSdkKeyByKey)
export const patchSegment: typeof definePatchSegment = /* @__PURE__ */ writingOperation(definePatchSegment)
export const patchTeam: typeof definePatchTeam = /* @__PURE__ */ writingOperation(definePatchTeam)
export const patchTeams: typeof definePatchTeams = /* @__PURE__ */ writingOperation(definePatchTeams)
export const patchToken: typeof definePatchToken = /* @__PURE__ */ writingOperation(definePatchToken)
export const patchView: typeof definePatchView = /* @__PURE__ */ writingOperation(definePatchView)
export const patchWebhook: typeof definePatchWebhook = /* @__PURE__ */ writingOperation(definePatchWebhook)
export const postHoldout: typeof definePostHoldout = /* @__PURE__ */ writingOperation(definePostHoldout)
export const postMemberTeams: typeof definePostMemberTeams = /* @__PURE__ */ writingOperation(definePostMemberTeams)
export const postMetric: typeof definePostMetric = /* @__PURE__ */ writingOperation(definePostMetric)
export const postMigrationSafetyIssues: typeof definePostMigrationSafetyIssues = /* @__PURE__ */ writingOperation(definePostMigrationSafetyIssues)
export const postRelayAutoConfig: typeof definePostRelayAutoConfig = /* @__PURE__ */ writingOperation(definePostRelayAutoConfig)
export const postSdkKey: typeof definePostSdkKey = /* @__PURE__ */ writingOperation(definePostSdkKey)
export const postWorkflow: typeof definePostWorkflow = /* @__PURE__ */ writingOperation(definePostWorkflow)
export const putBranch: typeof definePutBranch = /* @__PURE__ */ writingOperation(definePutBranch)
export const putContextFlagSetting: typeof definePutContextFlagSetting = /* @__PURE__ */ writingOperation(definePutContextFlagSetting)
export const putContextKind: typeof definePutContextKind = /* @__PURE__ */ writingOperation(definePutContextKind)
export const putExperimentationSettings: typeof definePutExperimentationSettings = /* @__PURE__ */ writingOperation(definePutExperimentationSettings)
export const putFlagDefaults: typeof definePutFlagDefaults = /* @__PURE__ */ writingOperation(definePutFlagDefaults)
export const putFlagFollower: typeof definePutFlagFollower = /* @__PURE__ */ writingOperation(definePutFlagFollower)
export const putFlagSetting: typeof definePutFlagSetting = /* @__PURE__ */ writingOperation(definePutFlagSetting)
export const putPhaseStatus: typeof definePutPhaseStatus = /* @__PURE__ */ writingOperation(definePutPhaseStatus)
export const putRelease: typeof definePutRelease = /* @__PURE__ */ writingOperation(definePutRelease)
export const putReleasePipeline: typeof definePutReleasePipeline = /* @__PURE__ */ writingOperation(definePutReleasePipeline)
export const putReleasePolicy: typeof definePutReleasePolicy = /* @__PURE__ */ writingOperation(definePutReleasePolicy)
export const replayDestination: typeof defineReplayDestination = /* @__PURE__ */ writingOperation(defineReplayDestination)
export const replayWebhook: typeof defineReplayWebhook = /* @__PURE__ */ writingOperation(defineReplayWebhook)
export const replayWebhookDelivery: typeof defineReplayWebhookDelivery = /* @__PURE__ */ writingOperation(defineReplayWebhookDelivery)
export const resetMobileKey: typeof defineResetMobileKey = /* @__PURE__ */ writingOperation(defineResetMobileKey)
export const resetRelayAutoConfig: typeof defineResetRelayAutoConfig = /* @__PURE__ */ writingOperation(defineResetRelayAutoConfig)
export const resetSdkKey: typeof defineResetSdkKey = /* @__PURE__ */ writingOperation(defineResetSdkKey)
export const resetToken: typeof defineResetToken = /* @__PURE__ */ writingOperation(defineResetToken)
export const revertChangeLogEntry: typeof defineRevertChangeLogEntry = /* @__PURE__ */ writingOperation(defineRevertChangeLogEntry)
export const reviewApprovalRequest: typeof defineReviewApprovalRequest = /* @__PURE__ */ writingOperation(defineReviewApprovalRequest)
export const reviewApprovalRequestForFlag: typeof defineReviewApprovalRequestForFlag = /* @__PURE__ */ writingOperation(defineReviewApprovalRequestForFlag)
export const searchChangeLog: typeof defineSearchChangeLog = /* @__PURE__ */ writingOperation(defineSearchChangeLog)
export const searchContextInstances: typeof defineSearchContextInstances = /* @__PURE__ */ writingOperation(defineSearchContextInstances)
export const searchContexts: typeof defineSearchContexts = /* @__PURE__ */ writingOperation(defineSearchContexts)
export const simulateChanges: typeof defineSimulateChanges = /* @__PURE__ */ writingOperation(defineSimulateChanges)
export const testWebhook: typeof defineTestWebhook = /* @__PURE__ */ writingOperation(defineTestWebhook)
export const unlinkResource: typeof defineUnlinkResource = /* @__PURE__ */ writingOperation(defineUnlinkResource)
export const updateBigSegmentContextTargets: typeof defineUpdateBigSegmentContextTargets = /* @__PURE__ */ writingOperation(defineUpdateBigSegmentContextTargets)
export const updateBigSegmentTargets: typeof defineUpdateBigSegmentTargets = /* @__PURE__ */ writingOperation(defineUpdateBigSegmentTargets)
export const updateFlagLink: typeof defineUpdateFlagLink = /* @__PURE__ */ writingOperation(defineUpdateFlagLink)
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
