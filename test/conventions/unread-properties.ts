// Stored properties on which no part of the engine acts. They have the form of the lists in property-readers.ts.

/** Properties that describe or record something for people and their tools. They promise no effect. */
export const describes = `
  RelayConfig.creatorId RelayConfig.id RelayConfig.lastFour RelayConfig.lastModified RelayConfig.name
  IpAllowlistEntry.description IpAllowlistEntry.id
  SdkKey.createdByMemberId SdkKey.description SdkKey.key SdkKey.name SdkKey.updatedAt
  AIConfig.description AIConfig.key AIConfigTargeting.lastModified AIConfigVariation.archivedAt
  AIConfigVariation.color AIConfigVariation.comment AIConfigVariation.configKey AIConfigVariation.description
  AIConfigVariation.publishedAt AIModelConfig.icon AIModelConfig.name AIModelConfig.tags Account.createdAt
  AgentGraph.createdAt AgentGraph.description AgentGraph.key AgentGraph.name AgentGraph.updatedAt AgentGraphEdge.key
  AgentOptimization.createdAt AgentOptimization.id AgentOptimization.key AgentOptimization.label
  AgentOptimization.updatedAt AgentText.description AgentText.key AgentText.name AgentText.tags Application.createdAt
  Application.description Application.key Application.kind Application.name AppliedRecord.at AppliedRecord.memberId
  AppliedRecord.serviceTokenId ApprovalRequest.applied ApprovalRequest.failedAt ApprovalRequest.failure
  ApprovalRequest.instructions.kind ApprovalRequest.requestor AssociatedRepository.key
  AutomatedRelease.notifyMemberIds AutomatedRelease.notifyTeamKeys AutomatedRelease.policyKey Automation.endedAt Automation.passedStages
  Automation.stageStartedAt Automation.startedAt Clause._id CommitContent.author ContextInstance.anonymousKinds ContextInstance.id ContextKind.createdAt
  ContextKind.description ContextKind.lastModified ContextKind.name CustomProperty.name Deployment.applicationKind
  Deployment.applicationName Deployment.createdAt Destination.disabledReason Destination.name Environment.color
  Experiment.archivedAt Experiment.createdAt Experiment.description Experiment.environmentKey Experiment.id
  Experiment.key Experiment.maintainerId ExperimentationSettings.createdAt ExpiringTarget.id Extinction.message
  Flag.includeInSnippet Flag.sel FlagCounts.fileCount FlagCounts.hunkCount FlagLink.deepLink FlagLink.description
  FlagLink.id FlagLink.integrationKey FlagLink.memberId FlagLink.metadata FlagLinkKey.id
  FlagTrigger.id FlagTrigger.integrationKey FlagTriggerUse.lastAt
  Holdout.createdAt Holdout.description Holdout.environmentKey Holdout.key
  Holdout.name Holdout.updatedAt Hunk.aliases Hunk.contentHash Hunk.lines
  Hunk.startingLineNumber InsightGroup.createdAt InsightGroup.key Iteration.changeJustification Iteration.createdAt
  Iteration.flagConfigVersion Iteration.hypothesis Iteration.layerSnapshot
  Iteration.winningReason Iteration.winningTreatmentId Layer.createdAt Layer.description Layer.key
  LayerReservation.flagKey LayerSnapshot.key LayerSnapshot.name LayerSnapshot.otherReservationPercent
  LayerSnapshot.reservationPercent LeadTimeSummary.samples MeasuredGroup.key
  MeasuredGroup.metrics.nameInGroup MeasuredGroup.name MeasuredVariation.id Measurement.flagKind Measurement.kind
  Metric.description Metric.id Metric.updatedAt Metric.winsorization.lower Metric.winsorization.upper
  MetricDefinition.metricVersion MetricDefinition.name MetricDefinition.successCriteria MetricDefinition.unit
  MetricGroup.description MetricGroup.id MetricGroup.key MetricGroup.updatedAt OAuthAccessToken.issuedAt
  OAuthClient.description OAuthGrant.name OptimizationResult.activity OptimizationResult.agentOptimizationId
  OptimizationResult.agentOptimizationVersion OptimizationResult.completedAt OptimizationResult.completionResponse
  OptimizationResult.createdVariationKey OptimizationResult.evaluationLatencies OptimizationResult.evaluationTokens
  OptimizationResult.generationLatency OptimizationResult.generationTokens OptimizationResult.instructions
  OptimizationResult.parameters OptimizationResult.reason OptimizationResult.runId OptimizationResult.scores
  OptimizationResult.updatedAt OptimizationResult.userInput OptimizationResult.variation Project.id
  Project.includeInSnippetByDefault PassedStage.endedAt PassedStage.stage PassedStage.startedAt PullRequest.author PullRequest.linesAdded PullRequest.linesDeleted
  PullRequest.openedAt PullRequest.startedAt PullRequest.title PullRequest.url PullRequestContent.closedAt
  PullRequestContent.filesChanged PullRequestContent.linesAdded PullRequestContent.linesDeleted PullRequestContent.url
  Reference.hint Release.key Release.pipelineDescription Release.pipelineKey ReleasePhase.completedBy
  ReleasePhase.completedBy.memberId ReleasePhase.completedBy.tokenId ReleasePolicy.createdAt ReleasePolicy.id
  ReleasePolicy.name Repository.commitUrlTemplate Repository.createdAt Repository.hunkUrlTemplate
  Repository.sourceLink Repository.type RevisedDocument.createdAt Role.description ScheduledChange.createdAt
  ScheduledChange.failure ScheduledChange.failure.at ScheduledChange.failure.reason ScheduledChange.instructions.kind
  Segment._externalLink Segment.environmentId SegmentExport.createdAt SegmentExport.id SegmentExport.memberId
  SegmentExport.size SegmentImport.createdAt SegmentImport.filename Statistics.latestCommitTime StoredReview.comment
  StoredReview.memberId StoredReview.serviceTokenId Token.description Token.lastFour Token.lastModified Token.name
  Token.ownerId TokenUse.at UrlMatcher.kind UrlMatcher.pattern UrlMatcher.substring UrlMatcher.url
  Variation.description View.id View.projectId Webhook.disabledReason Webhook.tags
  ConditionState.id RequestWorkflow.name RequestWorkflow.stageIndex RequestWorkflow.stageName
  TemplateCondition.id Workflow.description Workflow.failure Workflow.maintainerId
  Workflow.templateKey WorkflowStage.id WorkflowStage.instructions.kind WorkflowStage.stoppedAt WorkflowTemplate.id WorkflowTemplate.maintainerId
`

/** Settings that promise an effect and have none. Their schemas are marked with `storedOnly`. */
export const storedOnly = `
  AgentOptimization.metricKey ApprovalRequest.notifyTeamKeys ApprovalSettings.serviceConfig
  ApprovalSettings.serviceKind ApprovalSettings.serviceKindConfigurationId ContextKind.hideInTargeting
  Environment.confirmChanges Repository.enabled Token.defaultApiVersion
`
