import { environments as environmentDocuments, environmentIds } from '../../models/environments/environment.ts'
import { resource } from '../../operation/resource.ts'
import { createEnvironment } from './create-environment.ts'
import { deleteEnvironment } from './delete-environment.ts'
import { getEnvironment } from './get-environment.ts'
import { listEnvironments } from './list-environments.ts'
import { patchEnvironment } from './patch-environment.ts'
import { resetMobileKey } from './reset-mobile-key.ts'
import { resetSdkKey } from './reset-sdk-key.ts'

export const environments = resource({
  title: 'Environments',
  description: 'Environments of a project, each with keys for SDKs and rules for changes.',
  kinds: [
    {
      shape: 'proj:env',
      secretActions: ['viewSdkKey'],
      actions: [
        'viewSdkKey',
        'createEnvironment',
        'updateName',
        'updateColor',
        'updateTtl',
        'updateApiKey',
        'updateMobileKey',
        'updateSecureMode',
        'updateDefaultTrackEvents',
        'updateTags',
        'updateRequireComments',
        'updateConfirmChanges',
        'updateCritical',
        'updateApprovalSettings',
        'deleteEnvironment',
      ],
    },
  ],
  collections: [environmentIds, environmentDocuments],
  operations: [
    listEnvironments,
    createEnvironment,
    getEnvironment,
    patchEnvironment,
    deleteEnvironment,
    resetSdkKey,
    resetMobileKey,
  ],
})
