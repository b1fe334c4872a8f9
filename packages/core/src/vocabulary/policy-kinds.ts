// Generated from the descriptors of the resources: npm run generate

/** Every kind of resource that policies can name, with its actions. */
export const policyKinds = [
  { shape: 'acct', noun: 'account', accountLevel: true, actions: ['viewAuditLog', 'viewAccount', 'viewUsage', 'updateAccount'] },
  { shape: 'announcement', actions: ['viewAnnouncement', 'createAnnouncement', 'updateAnnouncement', 'deleteAnnouncement'] },
  { shape: 'application', actions: ['viewApplication', 'createApplication', 'updateApplication', 'deleteApplication'] },
  { shape: 'code-reference-repository', actions: ['viewCodeReferenceRepository', 'createCodeReferenceRepository', 'updateCodeReferenceRepositoryConfiguration', 'updateCodeReferenceRepositoryOn', 'updateCodeReferenceRepositoryBranches', 'deleteCodeReferenceRepository', 'updateCodeReferenceRepositoryName'] },
  { shape: 'integration', actions: ['viewIntegration', 'createIntegration', 'updateName', 'updateConfiguration', 'updateOn', 'deleteIntegration'] },
  { shape: 'ip-allowlist', noun: 'IP allowlist', accountLevel: true, actions: ['viewIpAllowlist', 'updateIpAllowlistEnabled', 'createIpAllowlistEntry', 'updateIpAllowlistEntry', 'deleteIpAllowlistEntry'] },
  { shape: 'member', accountLevel: true, actions: ['viewMember', 'createMember', 'updateMember', 'updateRole', 'updateCustomRole', 'updateRoleAttributes', 'deleteMember', 'sendMfaRequest', 'sendMfaRecoveryCode'] },
  { shape: 'oauth-client', noun: 'OAuth client', accountLevel: true, actions: ['viewOAuthClient', 'createOAuthClient', 'updateOAuthClient', 'deleteOAuthClient'] },
  { shape: 'proj', noun: 'project', actions: ['viewProject', 'createProject', 'updateProjectName', 'updateTags', 'updateIncludeInSnippetByDefault', 'updateDefaultClientSideAvailability', 'updateDefaultReleasePipeline', 'updateExperimentationSettings', 'updateProjectFlagDefaults', 'createApprovalRequest', 'updateApprovalRequest', 'reviewApprovalRequest', 'applyApprovalRequest', 'deleteApprovalRequest', 'deleteProject', 'updateLifecycleSettings'] },
  { shape: 'relay-proxy-config', noun: 'Relay Proxy configuration', actions: ['viewRelayProxyConfig', 'createRelayAutoConfiguration', 'updateRelayAutoConfigurationName', 'updateRelayAutoConfigurationPolicy', 'resetRelayAutoConfiguration', 'deleteRelayAutoConfiguration'] },
  { shape: 'role', accountLevel: true, actions: ['viewRole', 'createRole', 'updateName', 'updateDescription', 'updatePolicy', 'deleteRole', 'updateBasePermissions', 'updateMembers'] },
  { shape: 'service-token', accountLevel: true, actions: ['viewToken', 'createAccessToken', 'updateAccessTokenName', 'updateAccessTokenDescription', 'updateAccessTokenPolicy', 'deleteAccessToken', 'resetAccessToken'] },
  { shape: 'team', accountLevel: true, actions: ['viewTeam', 'createTeam', 'updateTeamName', 'updateTeamDescription', 'updateTeamMembers', 'updateTeamCustomRoles', 'updateTeamPermissionGrants', 'updateTeamRoleAttributes', 'deleteTeam'] },
  { shape: 'template', noun: 'workflow template', actions: ['viewTemplate', 'createTemplate', 'deleteTemplate'] },
  { shape: 'webhook', actions: ['viewWebhook', 'createWebhook', 'updateName', 'updateUrl', 'updateSecret', 'updateStatements', 'updateOn', 'updateTags', 'deleteWebhook'] },
  { shape: 'member:token', accountLevel: true, secretActions: ['viewToken'], actions: ['viewToken', 'createAccessToken', 'updateAccessTokenName', 'updateAccessTokenDescription', 'updateAccessTokenPolicy', 'deleteAccessToken', 'resetAccessToken'] },
  { shape: 'proj:agent-graph', actions: ['createAgentGraph', 'updateAgentGraph', 'deleteAgentGraph'] },
  { shape: 'proj:agent-optimization', actions: ['createAgentOptimization', 'updateAgentOptimization', 'deleteAgentOptimization', 'createAgentOptimizationResult', 'updateAgentOptimizationResult', 'deleteAgentOptimizationRun'] },
  { shape: 'proj:agent-skill', actions: ['createAgentSkill', 'updateAgentSkill', 'deleteAgentSkill'] },
  { shape: 'proj:ai-model-config', noun: 'AI model config', actions: ['createAIModelConfig', 'updateAIModelConfig', 'deleteAIModelConfig'] },
  { shape: 'proj:ai-tool', noun: 'AI tool', actions: ['createAITool', 'updateAITool', 'deleteAITool'] },
  { shape: 'proj:aiconfig', noun: 'AI config', adminActions: ['bypassRequiredApproval'], actions: ['createAIConfig', 'updateAIConfig', 'deleteAIConfig', 'updateAIConfigVariation', 'deleteAIConfigVariation', 'updateAIConfigTargeting', 'createApprovalRequest', 'updateApprovalRequest', 'reviewApprovalRequest', 'applyApprovalRequest', 'deleteApprovalRequest', 'bypassRequiredApproval'] },
  { shape: 'proj:commit', actions: ['createCommit'] },
  { shape: 'proj:context-kind', actions: ['createContextKind', 'updateContextKind', 'updateAvailabilityForExperiments'] },
  { shape: 'proj:env', noun: 'environment', secretActions: ['viewSdkKey'], adminActions: ['updateApprovalSettings'], actions: ['viewSdkKey', 'createEnvironment', 'updateName', 'updateColor', 'updateTtl', 'updateApiKey', 'updateMobileKey', 'updateSecureMode', 'updateDefaultTrackEvents', 'updateTags', 'updateRequireComments', 'updateConfirmChanges', 'updateCritical', 'updateApprovalSettings', 'deleteEnvironment'] },
  { shape: 'proj:layer', actions: ['createLayer', 'updateLayer', 'deleteLayer'] },
  { shape: 'proj:metric', actions: ['createMetric', 'updateName', 'updateDescription', 'updateTags', 'updateMaintainer', 'updateMetric', 'deleteMetric'] },
  { shape: 'proj:metric-group', actions: ['createMetricGroup', 'updateMetricGroup', 'deleteMetricGroup'] },
  { shape: 'proj:prompt-snippet', actions: ['createPromptSnippet', 'updatePromptSnippet', 'deletePromptSnippet'] },
  { shape: 'proj:pull-request', actions: ['createPullRequest'] },
  { shape: 'proj:release-pipeline', actions: ['createReleasePipeline', 'updateReleasePipelineName', 'updateReleasePipelineDescription', 'updateReleasePipelineTags', 'updateReleasePipelinePhase', 'updateReleasePipelinePhaseName', 'deleteReleasePipeline'] },
  { shape: 'proj:release-policy', actions: ['createReleasePolicy', 'updateReleasePolicy', 'updateReleasePolicyRank', 'deleteReleasePolicy'] },
  { shape: 'proj:repository', actions: ['associateRepository', 'dissociateRepository'] },
  { shape: 'proj:view', actions: ['viewView', 'createView', 'updateView', 'linkFlagToView', 'unlinkFlagFromView', 'linkSegmentToView', 'unlinkSegmentFromView', 'deleteView'] },
  { shape: 'proj:env:aiconfig', noun: 'AI config', adminActions: ['bypassRequiredApproval'], actions: ['createAIConfig', 'updateAIConfig', 'deleteAIConfig', 'updateAIConfigVariation', 'deleteAIConfigVariation', 'updateAIConfigTargeting', 'createApprovalRequest', 'updateApprovalRequest', 'reviewApprovalRequest', 'applyApprovalRequest', 'deleteApprovalRequest', 'bypassRequiredApproval'] },
  { shape: 'proj:env:application', actions: ['updateApplication', 'deleteApplication', 'viewApplication', 'createApplication'] },
  { shape: 'proj:env:context-instance', actions: ['createContextInstance', 'deleteContextInstance'] },
  { shape: 'proj:env:deployment', actions: ['createDeployment', 'updateDeployment', 'deleteDeployment'] },
  { shape: 'proj:env:destination', actions: ['createDestination', 'updateName', 'updateOn', 'updateConfiguration', 'generateTrustPolicy', 'deleteDestination'] },
  { shape: 'proj:env:experiment', actions: ['createExperiment', 'updateExperiment', 'updateExperimentArchived'] },
  { shape: 'proj:env:flag', adminActions: ['bypassRequiredApproval'], actions: ['viewFlagStatus', 'createFlag', 'cloneFlag', 'updateOn', 'updateName', 'updateDescription', 'updateTemporary', 'updateTags', 'updateMaintainer', 'updateDeprecated', 'updateGlobalArchived', 'updateIncludeInSnippet', 'updateClientSideFlagAvailability', 'updatePrerequisites', 'updateTargets', 'updateRules', 'updateFallthrough', 'updateOffVariation', 'updateFlagVariations', 'updateFlagDefaultVariations', 'updateFlagConfigMigrationSettings', 'updateFlagCustomProperties', 'updateTrackEvents', 'updateFlagFallthroughTrackEvents', 'updateExpiringTargets', 'updateScheduledChanges', 'updateFeatureWorkflows', 'copyFlagConfigFrom', 'copyFlagConfigTo', 'createFlagLink', 'updateFlagLink', 'deleteFlagLink', 'createApprovalRequest', 'updateApprovalRequest', 'reviewApprovalRequest', 'applyApprovalRequest', 'deleteApprovalRequest', 'bypassRequiredApproval', 'addReleasePipeline', 'removeReleasePipeline', 'replaceReleasePipeline', 'updateReleasePhaseStatus', 'deleteFlag', 'createTriggers', 'updateTriggers', 'deleteTriggers', 'manageFlagFollowers', 'updateFlagSalt', 'updateExpiringRules', 'updateMeasuredRolloutConfiguration', 'updateFallthroughWithMeasuredRollout', 'updateRulesWithMeasuredRollout', 'stopMeasuredRolloutOnFlagFallthrough', 'stopMeasuredRolloutOnFlagRule'] },
  { shape: 'proj:env:flag-event', actions: ['createFlagEvent'] },
  { shape: 'proj:env:holdout', actions: ['createHoldout', 'updateHoldout', 'deleteHoldout'] },
  { shape: 'proj:env:insight-group', actions: ['createInsightGroup', 'updateInsightGroup', 'deleteInsightGroup'] },
  { shape: 'proj:env:lead-time-sample', actions: ['createLeadTimeSample'] },
  { shape: 'proj:env:product-analytics-dashboard', actions: ['createProductAnalyticsDashboard', 'updateProductAnalyticsDashboard', 'deleteProductAnalyticsDashboard'] },
  { shape: 'proj:env:sdk-key', noun: 'SDK key', secretActions: ['viewSdkKey'], actions: ['viewSdkKey', 'createSdkKey', 'updateSdkKey', 'deleteSdkKey'] },
  { shape: 'proj:env:segment', adminActions: ['bypassRequiredApproval'], actions: ['createSegment', 'updateName', 'updateDescription', 'updateTags', 'updateIncluded', 'updateExcluded', 'updateRules', 'updateExpiringTargets', 'updateScheduledChanges', 'createApprovalRequest', 'updateApprovalRequest', 'reviewApprovalRequest', 'applyApprovalRequest', 'deleteApprovalRequest', 'bypassRequiredApproval', 'deleteSegment', 'updateExpiringRules'] },
  { shape: 'proj:env:user', actions: ['deleteUser'] },
] as const

/** The actions of each kind. */
export interface ActionsByKind {
  acct: 'viewAuditLog' | 'viewAccount' | 'viewUsage' | 'updateAccount'
  announcement: 'viewAnnouncement' | 'createAnnouncement' | 'updateAnnouncement' | 'deleteAnnouncement'
  application: 'viewApplication' | 'createApplication' | 'updateApplication' | 'deleteApplication'
  'code-reference-repository': 'viewCodeReferenceRepository' | 'createCodeReferenceRepository' | 'updateCodeReferenceRepositoryConfiguration' | 'updateCodeReferenceRepositoryOn' | 'updateCodeReferenceRepositoryBranches' | 'deleteCodeReferenceRepository' | 'updateCodeReferenceRepositoryName'
  integration: 'viewIntegration' | 'createIntegration' | 'updateName' | 'updateConfiguration' | 'updateOn' | 'deleteIntegration'
  'ip-allowlist': 'viewIpAllowlist' | 'updateIpAllowlistEnabled' | 'createIpAllowlistEntry' | 'updateIpAllowlistEntry' | 'deleteIpAllowlistEntry'
  member: 'viewMember' | 'createMember' | 'updateMember' | 'updateRole' | 'updateCustomRole' | 'updateRoleAttributes' | 'deleteMember' | 'sendMfaRequest' | 'sendMfaRecoveryCode'
  'oauth-client': 'viewOAuthClient' | 'createOAuthClient' | 'updateOAuthClient' | 'deleteOAuthClient'
  proj: 'viewProject' | 'createProject' | 'updateProjectName' | 'updateTags' | 'updateIncludeInSnippetByDefault' | 'updateDefaultClientSideAvailability' | 'updateDefaultReleasePipeline' | 'updateExperimentationSettings' | 'updateProjectFlagDefaults' | 'createApprovalRequest' | 'updateApprovalRequest' | 'reviewApprovalRequest' | 'applyApprovalRequest' | 'deleteApprovalRequest' | 'deleteProject' | 'updateLifecycleSettings'
  'relay-proxy-config': 'viewRelayProxyConfig' | 'createRelayAutoConfiguration' | 'updateRelayAutoConfigurationName' | 'updateRelayAutoConfigurationPolicy' | 'resetRelayAutoConfiguration' | 'deleteRelayAutoConfiguration'
  role: 'viewRole' | 'createRole' | 'updateName' | 'updateDescription' | 'updatePolicy' | 'deleteRole' | 'updateBasePermissions' | 'updateMembers'
  'service-token': 'viewToken' | 'createAccessToken' | 'updateAccessTokenName' | 'updateAccessTokenDescription' | 'updateAccessTokenPolicy' | 'deleteAccessToken' | 'resetAccessToken'
  team: 'viewTeam' | 'createTeam' | 'updateTeamName' | 'updateTeamDescription' | 'updateTeamMembers' | 'updateTeamCustomRoles' | 'updateTeamPermissionGrants' | 'updateTeamRoleAttributes' | 'deleteTeam'
  template: 'viewTemplate' | 'createTemplate' | 'deleteTemplate'
  webhook: 'viewWebhook' | 'createWebhook' | 'updateName' | 'updateUrl' | 'updateSecret' | 'updateStatements' | 'updateOn' | 'updateTags' | 'deleteWebhook'
  token: 'viewToken' | 'createAccessToken' | 'updateAccessTokenName' | 'updateAccessTokenDescription' | 'updateAccessTokenPolicy' | 'deleteAccessToken' | 'resetAccessToken'
  'agent-graph': 'createAgentGraph' | 'updateAgentGraph' | 'deleteAgentGraph'
  'agent-optimization': 'createAgentOptimization' | 'updateAgentOptimization' | 'deleteAgentOptimization' | 'createAgentOptimizationResult' | 'updateAgentOptimizationResult' | 'deleteAgentOptimizationRun'
  'agent-skill': 'createAgentSkill' | 'updateAgentSkill' | 'deleteAgentSkill'
  'ai-model-config': 'createAIModelConfig' | 'updateAIModelConfig' | 'deleteAIModelConfig'
  'ai-tool': 'createAITool' | 'updateAITool' | 'deleteAITool'
  aiconfig: 'createAIConfig' | 'updateAIConfig' | 'deleteAIConfig' | 'updateAIConfigVariation' | 'deleteAIConfigVariation' | 'updateAIConfigTargeting' | 'createApprovalRequest' | 'updateApprovalRequest' | 'reviewApprovalRequest' | 'applyApprovalRequest' | 'deleteApprovalRequest' | 'bypassRequiredApproval'
  commit: 'createCommit'
  'context-kind': 'createContextKind' | 'updateContextKind' | 'updateAvailabilityForExperiments'
  env: 'viewSdkKey' | 'createEnvironment' | 'updateName' | 'updateColor' | 'updateTtl' | 'updateApiKey' | 'updateMobileKey' | 'updateSecureMode' | 'updateDefaultTrackEvents' | 'updateTags' | 'updateRequireComments' | 'updateConfirmChanges' | 'updateCritical' | 'updateApprovalSettings' | 'deleteEnvironment'
  layer: 'createLayer' | 'updateLayer' | 'deleteLayer'
  metric: 'createMetric' | 'updateName' | 'updateDescription' | 'updateTags' | 'updateMaintainer' | 'updateMetric' | 'deleteMetric'
  'metric-group': 'createMetricGroup' | 'updateMetricGroup' | 'deleteMetricGroup'
  'prompt-snippet': 'createPromptSnippet' | 'updatePromptSnippet' | 'deletePromptSnippet'
  'pull-request': 'createPullRequest'
  'release-pipeline': 'createReleasePipeline' | 'updateReleasePipelineName' | 'updateReleasePipelineDescription' | 'updateReleasePipelineTags' | 'updateReleasePipelinePhase' | 'updateReleasePipelinePhaseName' | 'deleteReleasePipeline'
  'release-policy': 'createReleasePolicy' | 'updateReleasePolicy' | 'updateReleasePolicyRank' | 'deleteReleasePolicy'
  repository: 'associateRepository' | 'dissociateRepository'
  view: 'viewView' | 'createView' | 'updateView' | 'linkFlagToView' | 'unlinkFlagFromView' | 'linkSegmentToView' | 'unlinkSegmentFromView' | 'deleteView'
  'context-instance': 'createContextInstance' | 'deleteContextInstance'
  deployment: 'createDeployment' | 'updateDeployment' | 'deleteDeployment'
  destination: 'createDestination' | 'updateName' | 'updateOn' | 'updateConfiguration' | 'generateTrustPolicy' | 'deleteDestination'
  experiment: 'createExperiment' | 'updateExperiment' | 'updateExperimentArchived'
  flag: 'viewFlagStatus' | 'createFlag' | 'cloneFlag' | 'updateOn' | 'updateName' | 'updateDescription' | 'updateTemporary' | 'updateTags' | 'updateMaintainer' | 'updateDeprecated' | 'updateGlobalArchived' | 'updateIncludeInSnippet' | 'updateClientSideFlagAvailability' | 'updatePrerequisites' | 'updateTargets' | 'updateRules' | 'updateFallthrough' | 'updateOffVariation' | 'updateFlagVariations' | 'updateFlagDefaultVariations' | 'updateFlagConfigMigrationSettings' | 'updateFlagCustomProperties' | 'updateTrackEvents' | 'updateFlagFallthroughTrackEvents' | 'updateExpiringTargets' | 'updateScheduledChanges' | 'updateFeatureWorkflows' | 'copyFlagConfigFrom' | 'copyFlagConfigTo' | 'createFlagLink' | 'updateFlagLink' | 'deleteFlagLink' | 'createApprovalRequest' | 'updateApprovalRequest' | 'reviewApprovalRequest' | 'applyApprovalRequest' | 'deleteApprovalRequest' | 'bypassRequiredApproval' | 'addReleasePipeline' | 'removeReleasePipeline' | 'replaceReleasePipeline' | 'updateReleasePhaseStatus' | 'deleteFlag' | 'createTriggers' | 'updateTriggers' | 'deleteTriggers' | 'manageFlagFollowers' | 'updateFlagSalt' | 'updateExpiringRules' | 'updateMeasuredRolloutConfiguration' | 'updateFallthroughWithMeasuredRollout' | 'updateRulesWithMeasuredRollout' | 'stopMeasuredRolloutOnFlagFallthrough' | 'stopMeasuredRolloutOnFlagRule'
  'flag-event': 'createFlagEvent'
  holdout: 'createHoldout' | 'updateHoldout' | 'deleteHoldout'
  'insight-group': 'createInsightGroup' | 'updateInsightGroup' | 'deleteInsightGroup'
  'lead-time-sample': 'createLeadTimeSample'
  'product-analytics-dashboard': 'createProductAnalyticsDashboard' | 'updateProductAnalyticsDashboard' | 'deleteProductAnalyticsDashboard'
  'sdk-key': 'viewSdkKey' | 'createSdkKey' | 'updateSdkKey' | 'deleteSdkKey'
  segment: 'createSegment' | 'updateName' | 'updateDescription' | 'updateTags' | 'updateIncluded' | 'updateExcluded' | 'updateRules' | 'updateExpiringTargets' | 'updateScheduledChanges' | 'createApprovalRequest' | 'updateApprovalRequest' | 'reviewApprovalRequest' | 'applyApprovalRequest' | 'deleteApprovalRequest' | 'bypassRequiredApproval' | 'deleteSegment' | 'updateExpiringRules'
  user: 'deleteUser'
}

/** An action that policies decide about, e.g. `viewTeam`. */
export type Action = ActionsByKind[keyof ActionsByKind]
