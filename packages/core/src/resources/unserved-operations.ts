import type { UnservedOperation } from '../operation/unserved-operation.ts'

/** The operations by the reason why they are not served: id, method and path of each, separated by white space. */
const operationsByReason: Readonly<Record<string, string>> = {
  'a context is stored with the time of its last use only, anonymous contexts and those above a limit are not stored, so their number in a period is not known; `searchContexts` lists those of the last 30 days': `
    getContextsClientsideUsage GET /api/v2/usage/clientside-contexts
    getMAUClientsideUsage GET /api/v2/usage/clientside-mau
    getMauUsage GET /api/v2/usage/mau
    getMauUsageByCategory GET /api/v2/usage/mau/bycategory
    getContextsServersideUsage GET /api/v2/usage/serverside-contexts
    getContextsTotalUsage GET /api/v2/usage/total-contexts
    getMAUTotalUsage GET /api/v2/usage/total-mau
  `,
  'names and versions of SDKs are not stored, and streams are counted only while they are open: `engine.sdk.streams()`': `
    getMauSdksByType GET /api/v2/usage/mau/sdks
    getSdkAllVersions GET /api/v2/usage/sdk-versions/all
    getSdkVersionsDetails GET /api/v2/usage/sdk-versions/details
    getServiceConnectionsUsage GET /api/v2/usage/service-connections
    getStreamUsage GET /api/v2/usage/streams/{source}
    getStreamUsageBySdkVersion GET /api/v2/usage/streams/{source}/bysdkversion
    getStreamUsageSdkversion GET /api/v2/usage/streams/{source}/sdkversions
  `,
  'events are not counted as such: `getEvaluationsUsage` counts evaluations, and `getExperimentResults` shows the sums of metrics': `
    getEventsUsage GET /api/v2/usage/events/{type}
    getExperimentationEventsUsage GET /api/v2/usage/experimentation-events
  `,
  'units are counted once for each iteration of an experiment and not for each month: `getExperimentResults`': `
    getExperimentationKeysUsage GET /api/v2/usage/experimentation-keys
    getExperimentationUnitsUsage GET /api/v2/usage/experimentation-units
  `,
  'exported events are counted for each attempt to send them, for 30 days: `listDestinationDeliveries`': `
    getDataExportEventsUsage GET /api/v2/usage/data-export-events
    getWarehouseExportUsage GET /api/v2/usage/warehouse-export
  `,
  'generations are counted for each AI config, but runs that report no generation are not counted: `getAIConfigMetrics`': `
    getAIRunsUsage GET /api/v2/usage/ai-runs
  `,
  'the AI assistant of the hosted console is not part of this engine': `
    getVegaAIUsage GET /api/v2/usage/vega-ai
  `,
  'logs, traces, errors and sessions belong to the observability tools of the host': `
    getObservabilityErrorsUsage GET /api/v2/usage/observability/errors
    getObservabilityLogsUsage GET /api/v2/usage/observability/logs
    getObservabilityMetricsUsage GET /api/v2/usage/observability/metrics
    getObservabilitySessionsUsage GET /api/v2/usage/observability/sessions
    getObservabilityTracesUsage GET /api/v2/usage/observability/traces
  `,
  'announcements belong to the hosted console of the reference API': `
    getAnnouncementsPublic GET /api/v2/announcements
    createAnnouncementPublic POST /api/v2/announcements
    updateAnnouncementPublic PATCH /api/v2/announcements/{announcementId}
    deleteAnnouncementPublic DELETE /api/v2/announcements/{announcementId}
  `,
  'it describes the hosted service; `apiDocsPages` of `@halyard/openapi` serves the document of this API': `
    getOpenapiSpec GET /api/v2/openapi.json
    getIps GET /api/v2/public-ip-list
  `,
  'a list of members is not read from a file: name them by id in `patchTeam` or `patchTeams`': `
    postTeamMembers POST /api/v2/teams/{teamKey}/members
  `,
  'destinations of data warehouses are set up with the credentials of the exporter that the host configured': `
    postGenerateWarehouseDestinationKeyPair POST /api/v2/destinations/generate-warehouse-destination-key-pair
    postGenerateProjectEnvWarehouseDestinationKeyPair POST /api/v2/destinations/projects/{projKey}/environments/{envKey}/generate-warehouse-destination-key-pair
    postCompleteWarehouseDestinationSetup POST /api/v2/destinations/projects/{projKey}/environments/{envKey}/kinds/{kind}/complete-setup
    postGenerateWarehouseDestinationSetupScript POST /api/v2/destinations/projects/{projKey}/environments/{envKey}/kinds/{kind}/setup
  `,
  'flags are imported by the command `halyard import`': `
    getFlagImportConfigurations GET /api/v2/integration-capabilities/flag-import
    createFlagImportConfiguration POST /api/v2/integration-capabilities/flag-import/{projectKey}/{integrationKey}
    getFlagImportConfiguration GET /api/v2/integration-capabilities/flag-import/{projectKey}/{integrationKey}/{integrationId}
    patchFlagImportConfiguration PATCH /api/v2/integration-capabilities/flag-import/{projectKey}/{integrationKey}/{integrationId}
    deleteFlagImportConfiguration DELETE /api/v2/integration-capabilities/flag-import/{projectKey}/{integrationKey}/{integrationId}
    triggerFlagImportJob POST /api/v2/integration-capabilities/flag-import/{projectKey}/{integrationKey}/{integrationId}/trigger
  `,
  'integrations of the hosted service are replaced by webhooks: `createWebhook`': `
    getSubscriptions GET /api/v2/integrations/{integrationKey}
    createSubscription POST /api/v2/integrations/{integrationKey}
    getSubscriptionByID GET /api/v2/integrations/{integrationKey}/{id}
    updateSubscription PATCH /api/v2/integrations/{integrationKey}/{id}
    deleteSubscription DELETE /api/v2/integrations/{integrationKey}/{id}
    getAllIntegrationConfigurations GET /api/v2/integration-configurations/keys/{integrationKey}
    createIntegrationConfiguration POST /api/v2/integration-configurations/keys/{integrationKey}
    getIntegrationConfiguration GET /api/v2/integration-configurations/{integrationConfigurationId}
    updateIntegrationConfiguration PATCH /api/v2/integration-configurations/{integrationConfigurationId}
    deleteIntegrationConfiguration DELETE /api/v2/integration-configurations/{integrationConfigurationId}
  `,
  'SDKs read from the engine, so it copies no data to another store': `
    getIntegrationDeliveryConfigurations GET /api/v2/integration-capabilities/featureStore
    getIntegrationDeliveryConfigurationByEnvironment GET /api/v2/integration-capabilities/featureStore/{projectKey}/{environmentKey}
    createIntegrationDeliveryConfiguration POST /api/v2/integration-capabilities/featureStore/{projectKey}/{environmentKey}/{integrationKey}
    getIntegrationDeliveryConfigurationById GET /api/v2/integration-capabilities/featureStore/{projectKey}/{environmentKey}/{integrationKey}/{id}
    patchIntegrationDeliveryConfiguration PATCH /api/v2/integration-capabilities/featureStore/{projectKey}/{environmentKey}/{integrationKey}/{id}
    deleteIntegrationDeliveryConfiguration DELETE /api/v2/integration-capabilities/featureStore/{projectKey}/{environmentKey}/{integrationKey}/{id}
    validateIntegrationDeliveryConfiguration POST /api/v2/integration-capabilities/featureStore/{projectKey}/{environmentKey}/{integrationKey}/{id}/validate
    getBigSegmentStoreIntegrations GET /api/v2/integration-capabilities/big-segment-store
    createBigSegmentStoreIntegration POST /api/v2/integration-capabilities/big-segment-store/{projectKey}/{environmentKey}/{integrationKey}
    getBigSegmentStoreIntegration GET /api/v2/integration-capabilities/big-segment-store/{projectKey}/{environmentKey}/{integrationKey}/{integrationId}
    patchBigSegmentStoreIntegration PATCH /api/v2/integration-capabilities/big-segment-store/{projectKey}/{environmentKey}/{integrationKey}/{integrationId}
    deleteBigSegmentStoreIntegration DELETE /api/v2/integration-capabilities/big-segment-store/{projectKey}/{environmentKey}/{integrationKey}/{integrationId}
  `,
}

/**
 * Every operation of the reference API whose method and path no operation of this API has. A request to such an
 * operation is refused with 501 and the reason (docs/decisions/0085-name-the-operations-that-are-not-served.md).
 */
export const unservedOperations: readonly UnservedOperation[] = Object.entries(operationsByReason).flatMap(
  ([reason, lines]) =>
    lines
      .trim()
      .split(/\n\s*/)
      .map((line) => {
        const [id = '', method = '', path = ''] = line.split(' ')
        return { id, method, path, reason }
      }),
)
