/**
 * The readers of stored properties, as `<interface>.<property>`, separated by white space
 * (docs/decisions/0058-mark-properties-that-only-store.md).
 *
 * Each list belongs to the file that acts on its properties, by its path from `packages/core/src`. A file that declares
 * a collection reads them for the filter and order of lists, for policies, or for the index of another collection.
 */
export const readBy: Readonly<Record<string, string>> = {
  'models/ai-configs/ai-config-targeting.ts': `
    AIConfig.createdAt AIConfig.defaults AIConfig.variations DefaultVariations.offVariation
    DefaultVariations.onVariation Environment.defaultTrackEvents
  `,
  'models/ai-configs/ai-config.ts': `
    AIConfig.name AIConfig.updatedAt MaintainerReference.maintainerId MaintainerReference.maintainerTeamKey
  `,
  'models/ai-model-configs/ai-model-config.ts': 'AIModelConfig.restricted',
  'models/approval-requests/approval-request.ts': `
    ApprovalRequest.createdAt ApprovalRequest.notifyMemberIds ApprovalRequest.requestorId Review.kind Review.reviewer
    StoredReview.createdAt StoredReview.id
  `,
  'models/contexts/seen-context.ts': `
    ContextInstance.contexts ContextInstance.lastSeen SeenContext.context SeenContext.lastSeen SingleContext.key
    SingleContext.kind
  `,
  'models/deployments/deployment-history.ts': `
    DeploymentHistory.firstEndedAt DeploymentHistory.firstSeenAt DeploymentHistory.lastFailedAt
  `,
  'models/deployments/deployment.ts': 'Deployment.archived Deployment.versionName DeploymentHistory.lastFinishedAt',
  'models/experiments/displaced-iterations.ts': `
    IterationServing.before IterationServing.holdoutRuleId Treatment.variationId
  `,
  'models/experiments/end-iteration.ts': 'LayerReservation.environmentKey LayerReservation.experimentKey',
  'models/experiments/experiment.ts': `
    Experiment.archived Experiment.holdoutId Experiment.name ExperimentMetric.key Iteration.metrics Iteration.status
  `,
  'models/flag-followers/flag-followers.ts': 'FlagFollowers.since',
  'models/holdouts/holdout.ts': 'Holdout.id',
  'models/holdouts/holdout-measurement.ts': `
    Holdout.attributes Holdout.metrics Holdout.randomizationUnit
  `,
  'resources/measurements/exposed-variations.ts': `
    ExposureSource.flagKey ExposureSource.from ExposureSource.place ExposureSource.until ExposureSource.variation
    MeasuredVariation.index Measurement.flagKey Measurement.places Measurement.sources
  `,
  'resources/ip-allowlist/address-guard.ts': `
    IpAllowlist.apiTokenAllowlistEnabled IpAllowlist.entries IpAllowlist.sessionAllowlistEnabled IpAllowlistEntry.ipAddress
  `,
  'resources/holdouts/get-holdout-results.ts': 'Holdout.holdoutAmount',
  'models/layers/layer.ts': 'Layer.name Layer.reservations',
  'resources/experiments/holdout-rule.ts': 'Holdout.segmentKey',
  'resources/experiments/iteration-changes.ts': `
    Experiment.iterations Holdout.endedAt Iteration.canReshuffleTraffic Iteration.id Iteration.notInExperimentVariationId
    Iteration.serving IterationServing.seed Layer.randomizationUnit Layer.seed
    LayerReservation.buckets Treatment.allocationPercent
  `,
  'resources/experiments/measure-iteration.ts': `
    Iteration.attributes Iteration.randomizationUnit Iteration.ruleId Iteration.treatments
  `,
  'resources/experiments/metric-definitions.ts': 'ExperimentMetric.isGroup',
  'resources/experiments/analysis/metric-results.ts': 'Treatment.baseline Treatment.id Treatment.name',
  'resources/experiments/subject-state.ts': 'ExperimentSubject.key ExperimentSubject.kind',
  'resources/references/experiment-references.ts': 'Holdout.maintainerId Iteration.subject',
  'resources/sdk-endpoints/available-flags.ts': `
    ClientSideAvailability.usingEnvironmentId ClientSideAvailability.usingMobileKey
  `,
  'rules/evaluation/compiled-serve.ts': 'Rollout.kind Rollout.seed RolloutShare.untracked',
  'models/environments/approval-settings.ts': `
    ApprovalRule.required Environment.resourceApprovalSettings ResourceApprovalSettings.aiconfig
    ResourceApprovalSettings.segment
  `,
  'models/environments/environment.ts': 'Environment.critical Environment.name Environment.tags',
  'models/experimentation-settings/default-randomization-unit.ts': `
    ExperimentationSettings.randomizationUnits RandomizationUnit.default RandomizationUnit.randomizationUnit
  `,
  'models/flag-evaluations/flag-evaluation.ts': 'EvaluationReport.at',
  'models/flags/flag-changes.ts': 'FlagConfig.lastModified',
  'models/flags/flag-config.ts': 'Flag.createdAt Flag.defaults MigrationSettings.contextKind',
  'models/flags/flag.ts': 'Flag.purpose Flag.temporary',
  'models/flags/served-variations.ts': 'Target.values',
  'models/insight-repositories/project-repository.ts': 'AssociatedRepository.associatedAt',
  'models/lead-time/lead-time-day.ts': 'OpenDay.day',
  'models/measurements/measured-results.ts': `
    Measurement.attributes Measurement.variations MeasurementSums.at MeasurementSums.lastEventAt SumsOfUnits.attributes
    SumsOfUnits.mixedUnits SumsOfUnits.variations VariationSums.funnels VariationSums.metrics VariationSums.units
  `,
  'models/measurements/measurement.ts': 'MetricDefinition.key StoredUnit.keptUntil StoredUnit.waitingSince',
  'models/members/invite.ts': 'Invitation.expiresAt Invitation.rights',
  'models/members/member.ts': 'Member.createdAt Member.firstName Member.lastName',
  'models/metric-groups/metric-group.ts': `
    GroupedMetric.key MetricGroup.createdAt MetricGroup.name MetricGroup.tags
  `,
  'models/metrics/metric-definition.ts': `
    Metric.analysisType Metric.denominator Metric.denominator.eventKey Metric.denominator.isNumeric Metric.eventDefault
    Metric.eventDefault.disabled Metric.eventKey Metric.isNumeric Metric.kind Metric.percentileValue
    Metric.successCriteria Metric.unitAggregationType Metric.winsorization
  `,
  'models/metrics/metric.ts': 'Metric.createdAt Metric.name Metric.tags',
  'models/oauth-clients/oauth-client.ts': 'OAuthClient.createdAt',
  'models/oauth-grants/oauth-grant.ts': 'OAuthGrant.createdAt',
  'models/projects/project.ts': 'Project.name Project.tags',
  'models/pull-requests/pull-request.ts': `
    PullRequestContent.author PullRequestContent.repositoryKey PullRequestContent.state PullRequestContent.title
  `,
  'models/release-pipelines/release-pipeline.ts': `
    PipelinePhase.audiences ReleasePipeline.createdAt ReleasePipeline.description ReleasePipeline.name
    ReleasePipeline.tags
  `,
  'models/releases/release.ts': `
    Audience.name Audience.segmentKeys PipelinePhase.configuration PipelinePhase.id PipelinePhase.name
    Release.createdAt Release.id Release.pipelineName ReleasePhase.completedAt
  `,
  'models/roles/role.ts': 'Role.name',
  'models/segments/segment.ts': `
    BigList.changedAt ContextTargets.contextKind ContextTargets.values Segment._external Segment.createdAt
    Segment.description Segment.grown Segment.lastModified
  `,
  'models/teams/leave-teams.ts': 'Team.permissionGrants',
  'models/teams/permission.ts': 'PermissionGrant.permission',
  'models/teams/team.ts': `
    AppliedRole.appliedOn Membership.changes Membership.size PermissionGrant.memberIDs Team.description
    Team.lastModified Team.membership Team.name
  `,
  'models/tokens/token.ts': 'Token.createdAt',
  'models/views/view-link.ts': 'ViewLink.environmentId',
  'models/views/view.ts': `
    View.archived View.createdAt View.description View.maintainerId View.maintainerTeamKey View.name View.tags
    View.updatedAt
  `,
  'models/webhooks/webhook.ts': `
    Webhook.createdAt Webhook.retiredSecret Webhook.retiredSecret.until Webhook.retiredSecret.value Webhook.secret
  `,
  'models/flags/automated-release.ts': `
    AutomatedRelease.originalVariationId AutomatedRelease.randomizationUnit AutomatedRelease.ruleId
    AutomatedRelease.targetVariationId Automation.kind Automation.reason FlagConfig.automatedReleases
    ReleaseGuard.regression
  `,
  'resources/automated-releases/judge-release.ts': `
    JudgedMetric.key JudgedMetric.rollsBack ReleaseGuard.accepted ReleaseGuard.judged ReleaseGuard.measurementId
    ReleaseGuard.minSampleSize
  `,
  'resources/flags/automation/measure-releases.ts': `
    AutomatedRelease.guard GuardMetric.isGroup GuardMetric.key GuardMetric.rollsBack ReleaseGuard.metrics
  `,
  'resources/flags/automation/policy-plan.ts': `
    GuardedReleaseConfig.metricGroupKeys GuardedReleaseConfig.metricKeys GuardedReleaseConfig.minSampleSize
    GuardedReleaseConfig.rollbackOnRegression ProgressiveReleaseConfig.rolloutContextKindKey
    ProgressiveReleaseConfig.stages ReleasePolicy.guardedReleaseConfig ReleasePolicy.progressiveReleaseConfig
  `,
  'resources/releases/audience-instructions.ts': `
    AudienceConfiguration.notifyMemberIds AudienceConfiguration.notifyTeamKeys
    ReleaseGuardianConfiguration.randomizationUnit ReleaseGuardianConfiguration.rollbackOnRegression
  `,
  'rules/release/guarded-audience.ts': `
    AudienceConfiguration.releaseGuardianConfiguration AudienceConfiguration.releaseStrategy
    ReleaseGuardianConfiguration.monitoringWindowMilliseconds ReleaseGuardianConfiguration.rolloutWeight
  `,
  'resources/releases/serve-audience.ts': 'Audience.configuration AudienceConfiguration.requireApproval',
  'resources/releases/audience-progress.ts': 'AutomatedRelease.audienceId ReleaseAudience.approvalRequestId',

  'rules/release/automation.ts': `
    Automation.nextStepAt Automation.remainingMillis Automation.stage Automation.stages Automation.status
    ReleaseStage.allocation ReleaseStage.durationMillis
  `,
  'resources/flags/automation/applying-policy.ts': `
    PolicyScope.environmentKeys PolicyScope.flagTagKeys ReleasePolicy.scope
  `,
  'resources/flags/automation/follow-releases.ts': 'AutomatedRelease.id ReleasePolicy.releaseMethod',
  'resources/automated-releases/automated-release-worker.ts': `
    AutomatedRelease.approved AutomatedRelease.mandate AutomatedRelease.taskId
  `,
  'resources/insight-groups/flag-sources.ts': 'Iteration.endedAt Iteration.startedAt IterationServing.movedShare',
  'resources/agent-optimizations/delete-agent-optimization-run.ts': 'OptimizationResult.id OptimizationRun.results',
  'resources/agent-optimizations/optimization-run.ts': 'OptimizationResult.createdAt OptimizationResult.iteration',
  'resources/agent-optimizations/patch-agent-optimization-result.ts': 'OptimizationResult.status',
  'resources/agent-optimizations/run/attempt.ts': 'AgentOptimization.maxAttempts',
  'resources/agent-optimizations/run/load-settings.ts': `
    AIConfig.isInverted AgentOptimization.acceptanceStatements AgentOptimization.acceptanceStatements.statement
    AgentOptimization.acceptanceStatements.threshold AgentOptimization.aiConfigKey
    AgentOptimization.groundTruthResponses AgentOptimization.judges AgentOptimization.judges.key
    AgentOptimization.judges.threshold AgentOptimization.latencyOptimization AgentOptimization.tokenOptimization
    AgentOptimization.userInputOptions AgentOptimization.variableChoices AgentOptimization.variationKey
  `,
  'resources/agent-optimizations/run/perform-step.ts': 'AgentOptimization.judgeModel AgentOptimization.modelChoices',
  'resources/agent-optimizations/run/run-optimization.ts': 'AgentOptimization.autoCommit AgentOptimization.tokenLimit',
  'resources/ai-config-metrics/ai-metric-consumer.ts': 'AIMetricHour.variations',
  'resources/ai-config-metrics/get-ai-config-metrics-by-variation.ts': 'VariationSums.variationKey',
  'resources/ai-config-metrics/get-ai-config-quick-stats.ts': 'AIMetricHour.from',
  'resources/ai-config-metrics/read-ai-metrics.ts': 'AIMetricHour.configKey',
  'resources/ai-config-metrics/token-prices.ts': `
    AIConfigVariation.modelConfigKey AIModelConfig.costPerInputToken AIModelConfig.costPerOutputToken
    VariationSums.variationVersion
  `,
  'resources/ai-configs/config-approval.ts': 'AIConfig.tags',
  'resources/ai-configs/delete-ai-config.ts': 'AIConfigTargeting.environmentKey',
  'resources/ai-configs/dependency.ts': 'AIConfig.dependencies Dependency.key Dependency.type',
  'resources/ai-configs/targeting/apply-instructions.ts': `
    AIConfigVariation.id AIConfigVariation.key AIConfigVariation.name
  `,
  'resources/ai-configs/targeting/save-targeting.ts': 'Lockable.holds',
  'resources/ai-configs/targeting/targeting-state.ts': 'Environment.createdAt VariationRef.key',
  'resources/ai-configs/variations/check-variation.ts': 'AITool.customParameters AITool.key',
  'resources/ai-configs/variations/delete-ai-config-variation.ts': 'VariationRef._id',
  'resources/ai-evaluation/ai-documents.ts': 'SkillUse.key SkillUse.version',
  'resources/ai-evaluation/ai-flags.ts': `
    AIConfig.clientSideAvailability AIConfigVariation.skills AgentSkill.markdown PromptSnippet.text
  `,
  'resources/ai-model-configs/create-restricted-models.ts': 'AIModelConfig.key',
  'resources/ai-tools/list-ai-tool-references.ts': 'ToolUse.version',
  'resources/applications/across-environments/application-version.ts': 'Deployment.supported',
  'resources/approval-requests/lists/list-requests.ts': 'Project.key',
  'resources/approval-requests/steps/apply-request.ts': 'ApprovalRequest.description ApprovalRequest.instructions',
  'resources/approval-requests/steps/cancel-due-task.ts': 'ApprovalRequest.executionDate',
  'resources/approval-requests/subjects/load-subject.ts': 'ResourceRef.kind',
  'resources/approval-requests/steps/due-request-worker.ts': `
    ApprovalRequest.id ApprovalRequest.mandate ApprovalRequest.place
  `,
  'resources/approval-requests/steps/review-request.ts': `
    ApprovalRequest.reviews ApprovalRequest.status ApprovalSettings.autoApplyApprovedChanges
  `,
  'resources/approval-requests/subjects/conflicts.ts': 'ApprovalRequest.basis',
  'resources/back-ups/import-account.ts': 'Account.ownerId',
  'resources/back-ups/import-marker.ts': 'AccountImport.importId AccountImport.touchedAt',
  'resources/change-log/revert/refuse-conflicts.ts': 'Member.email',
  'resources/code-references/branch.ts': 'Branch.head Branch.name Branch.syncTime',
  'resources/code-references/delete-branches.ts': 'Repository.defaultBranch',
  'resources/code-references/extinction.ts': `
    Extinction.branch Extinction.projKey Extinction.repo Extinction.revision Extinction.time
  `,
  'resources/code-references/get-branch.ts': 'Branch.references',
  'resources/code-references/get-statistics.ts': 'Repository.name Statistics.flags Statistics.repo',
  'resources/code-references/list-extinctions.ts': 'Extinction.flagKey',
  'resources/code-references/put-branch.ts': 'Branch.updateSequenceId',
  'resources/code-references/statistics.ts': `
    Branch.commitTime Hunk.flagKey Hunk.projKey Reference.hunks Reference.path Repository.projectKeys
  `,
  'resources/context-kinds/list-context-kinds.ts': 'Project.createdAt',
  'resources/context-kinds/put-context-kind.ts': 'ContextKind.archived',
  'resources/deployments/advance-deployment.ts': `
    Deployment.brought Deployment.history Deployment.metadata Deployment.metadataAt Deployment.namesAt
    Deployment.pullRequests Deployment.startTimes PullRequest.externalId PullRequest.mergedAt
  `,
  'resources/deployments/brought-changes.ts': `
    BroughtChange.at BroughtChange.id BroughtChange.kind Deployment.applicationKey Deployment.applicationVersion
    DeploymentHistory.lastStartedAt
  `,
  'resources/deployments/find-deployment.ts': 'DeploymentIndexEntry.environmentKey DeploymentIndexEntry.projectKey',
  'resources/deployments/get-deployment.ts': 'Deployment.id',
  'resources/destinations/destination.ts': 'Destination.createdAt',
  'resources/destinations/export-audience.ts': 'Destination.environmentKey Destination.on Destination.projectKey',
  'resources/destinations/export-consumer.ts': 'Destination.id',
  'resources/destinations/export-worker.ts': `
    Destination.config Destination.credentials Destination.kind DestinationFailures.since ExportIdentity.externalId
  `,
  'resources/environments/require-comment.ts': 'Environment.requireComments',
  'resources/evaluation/cached-environment.ts': 'Environment.id',
  'resources/evaluation/environment-content.ts': 'Flag.archived Flag.key Segment.key',
  'resources/evaluation/evaluated-content.ts': `
    ExpiringTarget.expiresAt FlagConfig.expiringTargets Segment.expiringTargets
  `,
  'resources/evaluation/flag-data-of.ts': `
    ConfigMigrationSettings.checkRatio Flag.clientSideAvailability Flag.salt Flag.variations
    FlagConfig.migrationSettings FlagConfig.prerequisites Targeting.on Variation.value
  `,
  'resources/evaluation/flag-labels.ts': 'Flag.customProperties Variation.name',
  'resources/evaluation/listed-keys.ts': `
    BigList.count Segment.bigExcluded Segment.bigIncluded Segment.unboundedContextKind
  `,
  'resources/evaluation/segment-data-of.ts': `
    Segment.excluded Segment.excludedContexts Segment.generation Segment.id Segment.included Segment.includedContexts
    Segment.rules Segment.unbounded SegmentRule.bucketBy SegmentRule.rolloutContextKind SegmentRule.weight
  `,
  'resources/experimentation-settings/kinds-of-units.ts': 'ContextKind.key',
  'resources/experimentation-settings/put-experimentation-settings.ts': 'ContextKind.holds',
  'resources/flag-evaluations/read-evaluations.ts': 'EvaluationHour.counts EvaluationHour.from',
  'resources/flag-links/delete-flag-link.ts': 'FlagLink.key',
  'resources/flag-links/flag-link.ts': 'FlagLink.createdAt FlagLink.timestamp FlagLink.title',
  'resources/flags/changes/flag-approval.ts': 'Environment.approvalSettings',
  'resources/flags/changes/flag-references.ts': 'Flag.maintainerId Flag.maintainerTeamKey Prerequisite.variation',
  'resources/flags/changes/save-flag.ts': 'Flag.archivedDate Flag.deprecated Flag.deprecatedDate Flag.revision',
  'resources/flags/config-at.ts': `
    ExpiringTarget.contextKey ExpiringTarget.contextKind ExpiringTarget.place Target.contextKind
  `,
  'resources/flags/context-kind-filters.ts': 'FlagUse.contextKinds',
  'resources/flags/instructions/settings.ts': 'CustomProperty.value',
  'resources/flags/statuses/last-requested.ts': 'EvaluationCountingStart.since FlagUse.lastRequested',
  'resources/insight-groups/insight-group.ts': `
    InsightGroup.name InsightGroup.projectKey InsightGroupIndexEntry.environmentKey InsightGroupIndexEntry.projectKey
  `,
  'resources/insight-groups/score-sources.ts': 'InsightGroup.applicationKeys InsightGroup.environmentKey',
  'resources/invitations/accept-invitation.ts': 'Member.invitation Member.invitationHash',
  'resources/lead-time/append-lead-times.ts': 'LeadTimeEpoch.epoch',
  'resources/lead-time/compact-lead-times.ts': 'OpenDay.environmentId OpenDay.epoch',
  'resources/lead-time/read-lead-times.ts': 'LeadTimeDay.summary LeadTimeHours.hours',
  'resources/measurements/measurement-changes.ts': `
    MeasuredAttribute.attribute MeasuredAttribute.contextKind MeasuredUnit.early MeasuredUnit.mixed
    Measurement.endedAt Measurement.groups Measurement.id Measurement.metrics
    Measurement.preFrom Measurement.randomizationUnit Measurement.startedAt
  `,
  'resources/metric-groups/validate-metric-group.ts': 'GroupedMetric.nameInGroup MetricGroup.kind MetricGroup.metrics',
  'resources/metrics/validate-metric.ts': `
    Metric.eventDefault.value Metric.randomizationUnits Metric.unit
  `,
  'resources/oauth-grants/authenticate-client.ts': 'OAuthClient.public OAuthClient.secretHash',
  'resources/oauth-grants/create-oauth-grant.ts': 'OAuthClient.name OAuthClient.redirectUri',
  'resources/oauth-grants/issue-oauth-tokens.ts': `
    AuthorizationCode.challenge AuthorizationCode.hash AuthorizationCode.redirectUri AuthorizationCode.used
    OAuthClient.id OAuthTokens.expiresAt OAuthTokens.refresh RefreshToken.familyHash RefreshToken.hash
  `,
  'resources/oauth-grants/remove-grant.ts': 'OAuthGrant.id',
  'resources/pull-requests/change-samples.ts': `
    Arrival.applicationKey Arrival.deployStartedAt Arrival.deployedAt Arrival.environmentKey Commit.arrivals
    Commit.content Commit.externalId Commit.pullRequestIds CommitContent.authoredAt CommitContent.committedAt
    MergeMoments.mergedAt MergeMoments.openedAt PullRequest.arrivals PullRequest.content PullRequest.firstCommitAt
    PullRequest.inEvents PullRequestContent.mergedAt PullRequestContent.openedAt
  `,
  'resources/pull-requests/join-changes.ts': `
    Arrival.applicationVersion PullRequest.commitIds PullRequestContent.updatedAt
  `,
  'resources/references/oauth-references.ts': 'OAuthGrant.clientId',
  'resources/release-pipelines/delete-release-pipeline.ts': 'Project.releasePipelines',
  'resources/release-policies/list-release-policies.ts': 'PolicyRanking.scoped',
  'resources/release-policies/rank-policy.ts': 'PolicyRanking.defaultKey ReleasePolicy.key',
  'resources/releases/advance-release.ts': `
    Release.completedAt Release.phases ReleasePhase.startedAt ReleasePhase.status
  `,
  'resources/releases/audience-targeting.ts': 'ReleaseAudience.ruleIds',
  'resources/releases/list-releases.ts': 'ReleasePipeline.id ReleasePipeline.phases',
  'resources/releases/new-release.ts': 'ReleasePipeline.isLegacy ReleasePipeline.key',
  'resources/releases/patch-release.ts': 'Release.isLegacy',
  'resources/releases/put-phase-status.ts': 'ReleaseAudience.id ReleasePhase.audiences',
  'resources/releases/put-release.ts': `
    Project.defaultReleasePipelineKey Flag.kind Release.pipelineId Release.variationId ReleasePipeline.holds Variation._id
  `,
  'resources/releases/save-release.ts': 'Audience.environmentKey',
  'resources/flags/new-flag.ts': `
    BooleanFlagDefaults.falseDescription BooleanFlagDefaults.falseDisplayName BooleanFlagDefaults.offVariation
    BooleanFlagDefaults.onVariation BooleanFlagDefaults.trueDescription BooleanFlagDefaults.trueDisplayName
    Flag.description FlagDefaults.booleanDefaults FlagDefaults.tags FlagDefaults.temporary
    Project.defaultClientSideAvailability
  `,
  'resources/flag-triggers/invoke-flag-trigger.ts': `
    FlagTrigger.enabled FlagTrigger.hash FlagTrigger.instructions FlagTrigger.mandate FlagTriggerIndex.environmentKey
    FlagTriggerIndex.flagKey FlagTriggerIndex.projectKey FlagTriggerUse.count
  `,
  'resources/flag-triggers/flag-trigger.ts': 'FlagTrigger.createdAt TriggerInstruction.kind',
  'resources/scheduled-changes/plan.ts': 'ScheduledChange.executionDate',
  'resources/scheduled-changes/scheduled-change-worker.ts': `
    ApprovalSettings.bypassApprovalsForPendingChanges ScheduledChange.comment ScheduledChange.id
    ScheduledChange.instructions ScheduledChange.mandate ScheduledChange.taskId
  `,
  'models/scheduled-changes/scheduled-change.ts': 'Mandate.memberId',
  'resources/approval-requests/steps/continue-workflow.ts': 'ApprovalRequest.workflow RequestWorkflow.id',
  'resources/workflows/apply-stage.ts': 'Workflow.stage',
  'resources/workflows/continue-stages.ts': `
    ApprovalTerms.description ApprovalTerms.notifyMemberIds ApprovalTerms.notifyTeamKeys ApprovalTerms.requestId
    Workflow.dueAt Workflow.id Workflow.name Workflow.stages
    WorkflowStage.conditions WorkflowStage.name
  `,
  'resources/workflows/simulate-stages.ts': 'ApprovalTerms.kind WorkflowStage.instructions',
  'resources/workflows/template-parameters.ts': `
    TemplateCondition.kind TemplateCondition.scheduleKind TemplateParameter.at TemplateParameter.id TemplateParameter.path
    TemplateParameter.value TemplateStage.conditions WorkflowTemplate.booleanVariations WorkflowTemplate.parameters
    WorkflowTemplate.stages
  `,
  'resources/workflows/workflow-worker.ts': 'Workflow.mandate Workflow.status Workflow.taskId',
  'models/workflows/workflow.ts': 'Workflow.createdAt Workflow.stoppedAt',
  'models/workflows/workflow-template.ts': `
    WorkflowTemplate.createdAt WorkflowTemplate.description WorkflowTemplate.key WorkflowTemplate.name
  `,
  'rules/workflow/stage-progress.ts': `
    ConditionState.heldAt ConditionState.startedAt ScheduleTerms.executionDate ScheduleTerms.kind ScheduleTerms.scheduleKind
    ScheduleTerms.waitDuration ScheduleTerms.waitDurationUnit WorkflowStage.executeConditionsInSequence WorkflowStage.startedAt
  `,
  'resources/sdk-endpoints/client-query.ts': 'Environment.secureMode',
  'resources/sdk-endpoints/goals.ts': 'Metric.key Metric.selector Metric.urls',
  'resources/sdk-endpoints/sdk-endpoints.ts': `
    Environment.defaultTtl
  `,
  'resources/sdk-endpoints/relays/relay-environments.ts': `
    RelayConfig.hash RelayConfig.keyLimits RelayConfig.policy RelayConfig.policyLimits RelayConfig.retiredHash
    RelayConfig.retiredLimits RelayConfig.retiredUntil
  `,
  'models/relay-configs/relay-config.ts': 'RelayConfig.createdAt',
  'resources/sdk-endpoints/sdk-keys.ts': `
    Environment.apiKey Environment.key Environment.mobileKey Environment.retiredApiKey Environment.retiredApiKey.until
    Environment.retiredApiKey.value SdkKey.expiry SdkKey.kind SdkKey.value
  `,
  'models/sdk-keys/sdk-key.ts': 'SdkKey.createdAt',
  'resources/segments/big/big-segment.ts': 'BigList.revision Generation.count',
  'resources/segments/changes/apply-segment-instructions.ts': 'Segment.tags',
  'resources/segments/changes/segment-approval.ts': 'Flag.tags',
  'resources/segments/delete-segment.ts': 'ImportLock.segmentKey',
  'resources/segments/get-segment.ts': 'Segment.holds',
  'resources/segments/imports/import-lock.ts': 'ImportLock.touchedAt',
  'resources/segments/imports/process-import.ts': `
    SegmentImport.keys SegmentImport.mode SegmentImport.segmentId SegmentImport.status
  `,
  'resources/segments/imports/stage-keys.ts': 'ImportLock.importId',
  'resources/segments/imports/stop-waiting-imports.ts': 'SegmentImport.id',
  'resources/simulation/affected.ts': 'Prerequisite.key',
  'resources/simulation/compare-evaluations.ts': 'Flag.name',
  'resources/simulation/planned-change.ts': 'ResourceRef.environmentKey ResourceRef.projectKey ResourceRef.resourceKey',
  'resources/simulation/simulated-change.ts': 'Flag.migrationSettings MigrationSettings.stageCount Segment.name',
  'resources/simulation/webhooks-to-notify.ts': 'Webhook.name Webhook.statements',
  'resources/tokens/bearer.ts': `
    AppliedRole.key Grant.customRoles Grant.role Grant.roleAttributes Grant.statements Member.customRoles Member.id
    Member.managedTeamKeys Member.role Member.roleAttributes Member.teamKeys Role.key Role.policy Team.customRoles
    Team.key Team.roleAttributes
  `,
  'resources/tokens/delete-token.ts': 'Token.hash',
  'resources/tokens/find-oauth-caller.ts': `
    ClientCredentialsRights.mandate ClientCredentialsRights.scopes OAuthAccessToken.expiresAt OAuthAccessToken.hash
    OAuthAccessToken.scopes OAuthClient.clientCredentials OAuthGrant.limits OAuthGrant.memberId OAuthGrant.scopes
    OAuthTokens.access OAuthTokens.clientId OAuthTokens.code OAuthTokens.id
  `,
  'resources/tokens/identify-host-caller.ts': 'MemberEmail.memberId',
  'resources/tokens/identify-token.ts': `
    Credential.expiresAt Credential.tokenId Role.createdAt Team.createdAt Token.ceiling Token.grant Token.id
    Token.memberId Token.serviceToken
  `,
  'resources/tokens/mandate.ts': 'Mandate.asserted Mandate.grants Mandate.personal',
  'resources/tokens/remove-retired.ts': 'Token.retiredHash',
  'resources/view-filters/in-views.ts': 'ViewLink.resourceKey',
  'resources/views/find-segments.ts': 'EnvironmentId.environmentKey',
  'resources/views/link-kind.ts': 'ViewLink.environmentKey',
  'resources/views/link-resource.ts': 'ViewLink.linkedAt',
  'resources/views/list-linked-views.ts': 'View.key',
  'resources/views/unlink-resource.ts': 'View.unlinks',
  'resources/webhooks/webhook-message.ts': 'Webhook.format',
  'resources/webhooks/webhook-worker.ts': 'Webhook.id Webhook.on Webhook.url WebhookFailures.since',
  'rules/ai-configs/agent-graph-flag.ts': `
    AgentGraph.edges AgentGraph.rootConfigKey AgentGraphEdge.handoff AgentGraphEdge.sourceConfig
    AgentGraphEdge.targetConfig
  `,
  'rules/ai-configs/served-variation.ts': `
    AIConfig.evaluationMetricKey AIConfig.evaluationMetricKeys AIConfig.mode AIConfigVariation.instructions
    AIConfigVariation.judges AIConfigVariation.messages AIConfigVariation.model AIConfigVariation.state
    AIConfigVariation.tools AIModelConfig.customParams AIModelConfig.id AIModelConfig.params AIModelConfig.provider
    AITool.description AITool.schema Judge.judgeConfigKey Judge.samplingRate Message.content Message.role
    ToolUse.customParameters ToolUse.key
  `,
  'rules/ai-metrics/ai-metric-sums.ts': 'AIMetricSums.scores AIMetricSums.sums ScoreSum.count ScoreSum.sum',
  'rules/approval/approval-steps.ts': `
    ReviewRule.canApplyDeclinedChanges ReviewRule.canReviewOwnRequest ReviewRule.minNumApprovals
  `,
  'rules/approval/guard.ts': 'ApprovalRule.requiredApprovalTags',
  'rules/evaluation/targeting-data.ts': `
    Clause.attribute Clause.contextKind Clause.negate Clause.op Clause.values Rule._id Rule.clauses Serve.rollout
    Serve.variation Targeting.contextTargets Targeting.fallthrough Targeting.offVariation Targeting.rules
    Targeting.targets Targeting.trackEvents Targeting.trackEventsFallthrough TargetingRule.trackEvents
  `,
  'rules/expiring-targets/expiring-targets.ts': 'ExpiringTarget.version',
  'rules/lead-time/duration-pool.ts': `
    DurationSummary.bins DurationSummary.count DurationSummary.first DurationSummary.sum
  `,
  'rules/lead-time/duration-summary.ts': 'DurationSummary.steps',
  'rules/lead-time/lead-time-chart.ts': 'LeadTimeSummary.stages',
  'rules/measurement/measured-unit.ts': `
    EventTotals.count EventTotals.sum EventTotals.valued Exposure.at Exposure.variation MeasuredEvent.at
    MeasuredEvent.event MeasuredEvent.value MeasuredUnit.exposure MeasuredUnit.totals
  `,
  'rules/measurement/metric-definition.ts': `
    MeasuredGroup.kind MeasuredGroup.metrics MeasuredGroup.metrics.key
    MetricDefinition.aggregation MetricDefinition.bounds MetricDefinition.bounds.lower MetricDefinition.bounds.upper
    MetricDefinition.denominator MetricDefinition.denominator.eventKey MetricDefinition.denominator.value
    MetricDefinition.eventKey MetricDefinition.missing MetricDefinition.value
  `,
  'rules/measurement/pre-period.ts': 'DayTotals.day DayTotals.eventKey',
  'rules/measurement/variation-sums.ts': `
    MeasuredUnit.times
    Exposure.attributes MeasuredUnit.pre MetricDefinition.percentile MetricSums.bins
  `,
  'rules/migration-safety/cohorts.ts': 'Rule.description',
  'rules/migration-safety/shares.ts': `
    Rollout.bucketBy Rollout.contextKind Rollout.variations RolloutShare.variation RolloutShare.weight
  `,
  'rules/policy/access-details.ts': `
    Statement.actions Statement.effect Statement.notActions Statement.notResources Statement.resources
  `,
  'rules/statistics/unit-sums.ts': `
    UnitSums.crossSum UnitSums.denominatorPreDenominatorSum UnitSums.denominatorPreSum UnitSums.denominatorSum
    UnitSums.denominatorSumOfSquares UnitSums.preDenominatorSum UnitSums.preDenominatorSumOfSquares
    UnitSums.preRatioCrossSum UnitSums.preSum UnitSums.preSumOfSquares UnitSums.ratioCrossSum UnitSums.sum
    UnitSums.sumOfSquares UnitSums.units UnitSums.valuePreDenominatorSum
  `,
  'rules/targeting/variation-indexes.ts': 'Target.variation',
  'storage/revisions.ts': 'RevisedDocument.revision',
}
