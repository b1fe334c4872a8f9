import { environments as environmentDocuments, environmentIds } from '../../models/environments/environment.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const environments = resource({
  title: 'Environments',
  description: 'Environments of a project, each with keys for SDKs and rules for changes.',
  kinds: [
    {
      shape: 'proj:env',
      secretActions: ['viewSdkKey'],
      adminActions: ['updateApprovalSettings'],
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
  operations: Object.values(operations),
  parameters: {
    filter:
      'Terms `field:value` joined by commas, all of which must match: `query`, in the key or the name, and `tags`. Several values are joined by `+`.',
  },
})
