/**
 * Limits that reject no request: they bound the numbers of items that are reported, cached, read or processed at a
 * time. A new limit is listed either here, with the items that it bounds, or in the table of the guide.
 */
export const innerLimits: Readonly<Record<string, string>> = {
  'resources/applications/across-environments/application-version.ts#maxDeployments':
    'deployments in each environment from which the versions of an application are computed',
  'operation/unknown-properties.ts#maxPasses': 'passes over a body, after which further validation errors are omitted',
  'operation/tasks/perform-or-record.ts#maxAttempts': 'attempts to take a task that others take too',
  'operation/change-log/change-log-terms.ts#maxWords': 'words by which an entry can be found',
  'operation/change-log/change-log-terms.ts#maxWordCharacters': 'characters of such a word',
  'operation/pages/cursor-page.ts#maxTies': 'documents of the same millisecond that are paged one by one',
  'storage/adapter/lists/list-views.ts#maxKeyLength': 'characters of the conditions of a cached list',
  'storage/adapter/lists/list-views.ts#maxKeyValues': 'values in a condition of a cached list',
  'storage/adapter/lists/list-views.ts#maxViews': 'cached lists of rows in memory',
  'storage/adapter/lists/change-journal.ts#maxChanges': 'changes that are applied to a cached list one by one',
  'storage/adapter/lists/row-indexes.ts#maxIndexes': 'indexes of rows in memory',
  'storage/adapter/lists/row-lookup.ts#maxValues': 'values of a filter that are looked up one by one',
  'platform.ts#maxBlockedMs': 'ms for which long work blocks the event loop',
  'storage/lists/row-copy.ts#maxChanged': 'changed rows that are read one by one',
  'resources/flags/targeting-dates/rows-from-end.ts#maxRowsInParts': 'rows of a list that are read in parts',
  'storage/lists/row-copies.ts#maxCounted': 'sources whose lists are counted',
  'operation/cache-limits.ts#maxCallers': 'cached callers of the engines that share a cache',
  'pipeline/caching/engine-caches.ts#maxCallers': 'cached callers',
  'resources/change-log/ended-transactions.ts#maxMarks': 'moments at which open transactions were looked up',
  'pipeline/decode-upload.ts#maxFilenameCharacters': 'characters of a file name; the rest is cut off',
  'pipeline/access/read-attributes.ts#maxViews': 'views whose keys are cached for access decisions',
  'pipeline/access/access-by-address.ts#maxCachedAccess': 'cached access decisions',
  'pipeline/tasks/queue-run.ts#maxRunning': 'tasks run concurrently',
  'pipeline/tasks/queue-run.ts#maxRunningOfOne': 'tasks with one ordering key run concurrently',
  'pipeline/tasks/queue-run.ts#maxLeased': 'tasks leased at a time',
  'rules/policy/policy.ts#MAX_CACHED': 'cached decisions of a policy',
  'rules/policy/explain.ts#MAX_NEAR_MISSES': 'near misses in an explanation',
  'rules/policy/action-pattern.ts#maxSuggestions': 'unknown actions of a policy for which an action is suggested',
  'rules/policy/action-pattern.ts#maxSuggestedCharacters': 'characters of such an action',
  'rules/json-guard.ts#maxNameLength': 'characters of a name in a validation error; the rest is cut off',
  'rules/json-patch/parse-patch.ts#maxErrors': 'validation errors reported for a patch',
  'rules/json-patch/apply-patch.ts#maxLevels':
    'depth that a patch can create from a body and a pointer of maximum length',
  'rules/key-file/key-file.ts#maxErrors': 'errors reported for a file',
  'rules/migration-safety/moves.ts#maxEffort':
    'search steps for one query, beyond which the conservative result is returned',
  'rules/migration-safety/cohorts.ts#maxNameLength': 'characters of a cohort name in a report; the rest is cut off',
  'rules/migration-safety/issue-sentence.ts#maxListedCohorts': 'cohorts named in a sentence',
  'rules/contexts/sighting.ts#maxStoredContext':
    'characters of the JSON of a stored context; of a longer one only kind, key and name are stored',
  'rules/contexts/sighting.ts#maxContextKey': 'characters of the key of a stored context; others are not stored',
  'models/contexts/seen-context.ts#maxSeenContexts': 'stored contexts of an environment; further ones are not stored',
  'rules/sdk-protocol/sdk-events.ts#maxContextKinds':
    'kinds of contexts of a flag in a report of an SDK; further ones are not stored',
  'resources/flag-evaluations/evaluation-consumer.ts#maxContextKinds':
    'stored kinds of contexts that a flag was evaluated for; the latest are kept',
  'resources/contexts/context-consumer.ts#maxStoredOfReport':
    'stored contexts of one report of an SDK; further ones are stored when they are reported again',
  'models/contexts/seen-context.ts#maxIndexedAttributes': 'attributes by which a context is found',
  'models/contexts/seen-context.ts#maxIndexedValue': 'characters of a value by which a context is found',
  'resources/contexts/latest-contexts.ts#maxCountedContexts': 'contexts whose attributes are counted',
  'rules/text-lines.ts#maxLength': 'characters of a line of an export, which only the host imports',
  'fetch-sender.ts#maxResponseCharacters': 'characters of the response of a receiver that are reported',
  'resources/teams/team-projects-response.ts#maxListedProjects': 'projects listed in a team',
  'resources/views/existing-links.ts#maxListed': 'links listed in a view',
  'resources/views/list-linked-views.ts#maxViews': 'views listed for one resource',
  'resources/releases/list-releases.ts#maxCounted': 'releases counted by status',
  'resources/segments/changes/require-valid-references.ts#maxReportedErrors':
    'validation errors reported for references',
  'resources/segments/changes/segment-approval.ts#maxCheckedReferences':
    'referring flags, beyond which a segment counts as requiring approval',
  'resources/insight-repositories/list-insight-repositories.ts#maxAssociations': 'more than can exist',
  'resources/change-log/change-log-page.ts#maxScannedEntries': 'entries that one call reads; `next` continues',
  'resources/approval-requests/subjects/references.ts#maxReferences': 'references that are followed',
  'resources/approval-requests/lists/review-status-condition.ts#maxEnvironments': 'more than can exist',
  'resources/flags/changes/save-flag.ts#maxReportedProblems': 'problems reported for a change',
  'resources/flags/changes/flag-approval.ts#maxCheckedFlags':
    'pending requests, beyond which a flag counts as requiring approval',
  'resources/webhooks/record-attempt.ts#maxDropped': 'attempts deleted at a time',
  'resources/webhooks/entry-followers.ts#maxFollowersOfEntry':
    'followers in a message, and flags whose followers are read for it',
  'models/flags/flag-config.ts#maxIndexedUsers': 'users by whose expiry dates a configuration is found in the index',
  'resources/webhooks/webhook-audience.ts#maxWebhooks': 'webhooks whose policies are cached',
  'resources/webhooks/get-webhook-delivery.ts#maxAttempts': 'attempts listed in a delivery',
  'resources/webhooks/list-webhook-deliveries.ts#maxScanned': 'attempts that one call reads; `next` continues',
  'resources/scheduled-changes/scheduled-change-worker.ts#maxMs': 'expected duration of a task, for its lease',
  'resources/workflows/workflow-worker.ts#maxMs': 'expected duration of a task, for its lease',
  'resources/approval-requests/steps/due-request-worker.ts#maxMs': 'expected duration of a task, for its lease',
  'resources/lead-time/read-lead-times.ts#maxRanges': 'size beyond which another way of reading is used',
  'resources/lead-time/read-lead-times.ts#maxParts': 'size beyond which another way of reading is used',
  'resources/deployments/brought-changes.ts#maxStarts': 'latest starts stored with a deployment',
  'resources/deployments/brought-changes.ts#maxBrought': 'latest changes stored with a deployment',
  'resources/lead-time/compact-lead-times.ts#maxApplications': 'applications of an environment that are summarized',
  'resources/lead-time/read-lead-times.ts#maxApplications': 'size beyond which another way of reading is used',
  'resources/lead-time/read-lead-times.ts#maxOpenDays': 'days that are not summarized yet, for more than two centuries',
  'resources/back-ups/parse-record.ts#maxDepth': 'depth of an exported record, which only the host imports',
  'resources/sdk-endpoints/stream-connection.ts#maxUnread': 'unread bytes beyond which a stream is ended',
  'resources/sdk-endpoints/content-changes.ts#maxRemoved': 'deleted items beyond which all data is sent again',
  'resources/sdk-events/event-intake.ts#maxPendingItems': 'events that are not written yet',
  'resources/sdk-events/event-intake.ts#maxReportsPerBatch': 'event payloads written together',
  'resources/sdk-events/event-intake.ts#maxMergedItems': 'events of reports without an id that are kept as one',
  'resources/sdk-events/event-intake.ts#maxAttempts': 'attempts of a batch that conflicts with others',
  'rules/ai-metrics/ai-metric-event.ts#maxMeasurement': 'a measurement of an AI config with a higher value is ignored',
  'rules/ai-metrics/ai-metric-event.ts#maxMetricKeyLength': 'a score of a metric with a longer key is ignored',
  'rules/ai-metrics/ai-metric-sums.ts#maxScoredMetrics': 'scores of further metrics are ignored',
  'rules/sdk-protocol/sdk-events.ts#maxEventKeyLength': 'a custom event with a longer key is ignored',
  'rules/sdk-protocol/sdk-events.ts#maxCount': 'a counter with a higher count is ignored',
  'rules/sdk-protocol/sdk-events.ts#maxVariations': 'a counter with a higher variation is ignored',
  'rules/sdk-protocol/sdk-events.ts#maxClockSkewMs': 'ms by which the clock of an SDK may be late',
  'storage/cached-reads.ts#maxCachedPerCall': 'documents of one request that are cached',
  'storage/cached-reads.ts#maxCachedBatch': 'changes of one commit whose documents are cached',
  'storage/replaced-versions.ts#maxVersions': 'versions that this process has replaced, for the detection of conflicts',
  'pipeline/redo.ts#maxRuns': 'runs of a call that loses races, after which it is refused with 409',
  'pipeline/redo.ts#maxRunsOnOneState':
    'runs that lose to the same version of a document, after which the call is refused with 409',
  'pipeline/redo.ts#maxQueues': 'documents in whose queues a writer waits; larger calls only race',
  'storage/touched-records.ts#maxListed': 'documents of one scope that are reported one by one',
  'resources/evaluation/listed-keys.ts#maxAttempts':
    'times that the keys of a segment are read because they changed during the read',
  'resources/evaluation/big-segment-cache.ts#maxContexts': 'contexts whose big segment memberships are cached',
  'resources/sdk-endpoints/sdk-endpoints-on-demand.ts#maxWaiting':
    'reports of a process that wait for the code of the SDK endpoints; the oldest are lost',
  'resources/served-keys.ts#maxKnownKeys': 'AI configs of a project, also agent graphs, whose keys a process keeps',
  'resources/change-lists/known-contexts.ts#maxKnown': 'contexts for which an environment is simulated',
  'resources/change-lists/simulate-changes.ts#maxNamed': 'contexts that the effect of a list of changes names',
  'resources/evaluation/recent-contexts.ts#maxListed': 'contexts that were evaluated last',
  'resources/simulation/simulate.ts#maxAttempts': 'attempts to read data that others keep changing',
  'rules/evaluation/bucket-hash.ts#maxBytesInOneBlock': 'longer texts are hashed block by block',
  'rules/evaluation/evaluation.ts#maxNesting':
    'a longer chain of flags or segments is malformed and serves the fallback',
  'rules/evaluation/layered-map.ts#maxChanges': 'changes beyond which a map is copied',
  'rules/evaluation/safe-pattern.ts#maxSteps': 'steps beyond which an expression is matched in linear time',
  'rules/evaluation/semantic-version.ts#maxLength':
    'characters of a version; a longer text is not a version and matches nothing',
  'operation/change-log/entry-sentences.ts#maxSentences':
    'sentences of one entry of the change log; the last says how many are left out',
  'operation/change-log/removed-documents.ts#maxDocuments':
    'documents that the entry of a deletion contains; a larger deletion cannot be reverted, which its entry says',
  'operation/change-log/removed-documents.ts#maxCharacters':
    'size of the documents that the entry of a deletion contains; a larger deletion cannot be reverted',
  'pipeline/references/apply-reference-rules.ts#maxNamed': 'referrers that the message of a refused deletion names',
  'pipeline/references/apply-reference-rules.ts#maxListed': 'referrers that the error of a refused deletion lists',
  'resources/change-log/revert/later-changes.ts#maxLaterEntries':
    'entries in which a revert searches for a later change',
  'resources/change-log/revert/later-changes.ts#maxClockDifference':
    'difference of the clocks of two processes that a revert takes into account',
  'resources/segments/load-targeting-flags.ts#maxListedFlags': 'flags that the response for a segment lists',
  'resources/webhooks/webhook-worker.ts#maxCheckedQueues':
    'webhooks of which an engine without a sender reports deliveries',
  'resources/webhooks/webhook-worker.ts#maxCheckedTasks':
    'deliveries of a webhook among which such an engine searches a due one',
  'rules/sentences/property-sentences.ts#maxValueCharacters':
    'characters of a value in a sentence; a longer one is cut',
  'rules/sentences/sentence.ts#maxSentenceCharacters': 'characters of a line of the change log; a longer one is cut',
  'rules/sentences/sentence.ts#maxNameCharacters': 'characters of a name in a sentence; a longer one is cut',
  'rules/sentences/sentence.ts#maxListed': 'names in a sentence; further ones are counted',
  'resources/destinations/destination-outbox.ts#maxWaitingTasks':
    'tasks that wait for a destination; further events are dropped, which the destination shows',
  'resources/destinations/destination-outbox.ts#maxWaitingCharacters':
    'size of the events that wait for a destination; further events are dropped',
  'resources/destinations/export-audience.ts#maxDestinations': 'destinations that receive changes; no account has more',
  'resources/destinations/export-batch.ts#maxEvents': 'events that are sent together',
  'resources/destinations/export-batch.ts#maxTasks': 'tasks that are read for one batch',
  'resources/destinations/export-consumer.ts#maxTaskEvents': 'events that are stored as one task',
  'resources/destinations/export-consumer.ts#maxTaskCharacters': 'size of the events that are stored as one task',
  'resources/destinations/list-destination-deliveries.ts#maxScanned':
    'attempts that are read for a page of one outcome',
  'resources/destinations/keep-outbox.ts#maxDropped': 'tasks that are dropped at a time',
  'resources/oauth-grants/issue-oauth-tokens.ts#maxAccessTokens':
    'valid access tokens of a grant; issuing another one makes the oldest invalid',
  'rules/ai-configs/prompt-template.ts#maxCached': 'cached parsed templates',
  'resources/agent-optimizations/run/model-caller.ts#maxReplyLength':
    'characters of a reply; a longer one ends the run with an error',
  'resources/agent-optimizations/run/model-caller.ts#maxTimerMs':
    'ms of the delay of a timer; a longer time limit has no timer',
  'resources/agent-optimizations/run/model-replies.ts#maxInstructionsLength':
    'characters of new instructions; longer ones end the run with an error',
  'models/experiments/displaced-iterations.ts#maxRunning':
    'iterations on one flag in one environment; fewer than this number can run',
  'models/flags/automated-release.ts#maxEndedReleases': 'ended releases that a configuration keeps',
  'models/measurements/measured-results.ts#maxParts': 'days of a measurement; every measurement has fewer',
  'resources/automated-releases/automated-release-worker.ts#maxMs': 'expected duration of a task, for its lease',
  'resources/evaluation/experiment-exposures.ts#maxKnown': 'exposures of a process that are not reported again',
  'resources/holdouts/holdout-schema.ts#maxRelated': 'experiments that the response for a holdout lists',
  'resources/metrics/serialize-metric.ts#maxGroups': 'groups that the response for a metric lists',
  'resources/sdk-endpoints/goals.ts#maxGoals': 'clicks and page views that an SDK reports',
  'engine/flags-in-code/forced-flags-cookie.ts#maxMaxAgeSeconds': 'seconds of a cookie, which only the host makes',
  'engine/flags-in-code/forced-flags-cookie.ts#maxCookieBytes': 'bytes of such a cookie',
  'resources/change-log/follow-changes.ts#maxBatch': 'followed changes in memory at the same time',
  'rules/webhook-format/format-message.ts#maxTitleCharacters':
    'characters of the line of a message; a longer one is cut',
  'rules/webhook-format/format-message.ts#maxCommentCharacters': 'characters of a comment in a message',
  'rules/webhook-format/format-message.ts#maxFollowersCharacters': 'characters of the followers in a message',
  'rules/webhook-format/format-message.ts#maxNameCharacters': 'characters of the name of a follower in a message',
  'rules/measurement/measured-report.ts#maxAttributes': 'attributes of a context that can divide results',
  'rules/measurement/measured-report.ts#maxValueLength':
    'characters of the value of such an attribute; the rest is cut off',
  'rules/measurement/funnel.ts#maxTimes': 'times of the events of a funnel that are kept for a unit',
  'rules/measurement/measured-unit.ts#maxEarlyEvents': 'events of a unit that arrive before its exposure',
  'rules/measurement/pre-period.ts#maxDayTotals':
    'totals of days before an experiment that a unit keeps; older ones are dropped, so that they do not reduce variance',
  'rules/measurement/variation-sums.ts#maxAttributeValues': 'values of an attribute with sums of their own',
  'rules/statistics/integrate.ts#maxDepth': 'halvings of a range of an integral',
  'storage/adapter/notice.ts#maxBytes':
    'size of a change notification; a larger one names collections instead of documents, or nothing',
  'resources/past/change-history.ts#maxEntries':
    'entries of the change log in memory; the guide to the past states what happens beyond it',
  'resources/past/past-documents.ts#maxAttempts': 'reads of a list that is changed while it is read',
  'resources/past/past-documents.ts#maxUnlogged': 'documents of a list whose creation is not logged',
}
