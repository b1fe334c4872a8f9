import { flags as flagDocuments } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { resource } from '../../operation/resource.ts'
import { copyFlag } from './copies/copy-flag.ts'
import { createFlag } from './create-flag.ts'
import { deleteFlag } from './delete-flag.ts'
import { listDependentFlags } from './dependents/list-dependent-flags.ts'
import { listDependentFlagsByEnvironment } from './dependents/list-dependent-flags-by-environment.ts'
import { getExpiringTargets } from './expiring-targets/get-expiring-targets.ts'
import { getExpiringUserTargets } from './expiring-targets/get-expiring-user-targets.ts'
import { patchExpiringTargets } from './expiring-targets/patch-expiring-targets.ts'
import { patchExpiringUserTargets } from './expiring-targets/patch-expiring-user-targets.ts'
import { getFlag } from './get-flag.ts'
import { listFlags } from './list-flags.ts'
import { postMigrationSafetyIssues } from './migrations/post-migration-safety-issues.ts'
import { patchFlag } from './patch-flag.ts'
import { getFlagStatus } from './statuses/get-flag-status.ts'
import { getFlagStatusAcrossEnvironments } from './statuses/get-flag-status-across-environments.ts'
import { listFlagStatuses } from './statuses/list-flag-statuses.ts'

export const flags = resource({
  title: 'Flags',
  description: 'Feature flags, and their configuration in each environment.',
  kinds: [
    {
      shape: 'proj:env:flag',
      actions: [
        'viewFlagStatus',
        'createFlag',
        'cloneFlag',
        'updateOn',
        'updateName',
        'updateDescription',
        'updateTemporary',
        'updateTags',
        'updateMaintainer',
        'updateDeprecated',
        'updateGlobalArchived',
        'updateIncludeInSnippet',
        'updateClientSideFlagAvailability',
        'updatePrerequisites',
        'updateTargets',
        'updateRules',
        'updateFallthrough',
        'updateOffVariation',
        'updateFlagVariations',
        'updateFlagDefaultVariations',
        'updateFlagConfigMigrationSettings',
        'updateFlagCustomProperties',
        'updateTrackEvents',
        'updateFlagFallthroughTrackEvents',
        'updateExpiringTargets',
        'updateScheduledChanges',
        'copyFlagConfigFrom',
        'copyFlagConfigTo',
        'createFlagLink',
        'updateFlagLink',
        'deleteFlagLink',
        'createApprovalRequest',
        'updateApprovalRequest',
        'reviewApprovalRequest',
        'applyApprovalRequest',
        'deleteApprovalRequest',
        'bypassRequiredApproval',
        'addReleasePipeline',
        'removeReleasePipeline',
        'replaceReleasePipeline',
        'updateReleasePhaseStatus',
        'deleteFlag',
      ],
    },
  ],
  collections: [flagDocuments, flagConfigs],
  operations: [
    listFlags,
    createFlag,
    getFlag,
    patchFlag,
    deleteFlag,
    postMigrationSafetyIssues,
    copyFlag,
    listDependentFlags,
    listDependentFlagsByEnvironment,
    getFlagStatus,
    listFlagStatuses,
    getFlagStatusAcrossEnvironments,
    getExpiringTargets,
    patchExpiringTargets,
    getExpiringUserTargets,
    patchExpiringUserTargets,
  ],
  parameters: {
    filter:
      'Terms `field:value` joined by commas, all of which must match: `query`, `key`, `name`, `tags`, `maintainerId`, `maintainerTeamKey`, `type`, `state`, `archived`, `sdkAvailability`, `creationDate`, `purpose`, `view`. Several values are joined by `+`. Archived flags are omitted unless a term has the field `state` or `archived`.',
    tag: 'Only flags with this tag.',
    env: 'Keys of environments, separated by commas.',
    summary: 'Omits the targeting of each environment from the response; `0` includes it.',
    clone: 'Key of the flag whose targeting is copied to the new flag.',
  },
})
