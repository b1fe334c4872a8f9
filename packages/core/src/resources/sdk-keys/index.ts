import { sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const sdkKeys = resource({
  title: 'SDK keys',
  description: 'Keys by which SDKs connect to an environment, in addition to its default keys.',
  kinds: [
    {
      shape: 'proj:env:sdk-key',
      noun: 'SDK key',
      secretActions: ['viewSdkKey'],
      actions: ['viewSdkKey', 'createSdkKey', 'updateSdkKey', 'deleteSdkKey'],
    },
  ],
  collections: [sdkKeyDocuments],
  operations: Object.values(operations),
  parameters: {
    sdkKeyKey: 'Key of the SDK key: its name in paths, not the secret that SDKs send.',
    version: 'Version that the SDK key must have; otherwise the response is 409.',
    'getSdkKeys.filter': 'Filter for the SDK keys: `kind:sdk` or `kind:mobile`, and `active:true` or `active:false`.',
  },
})
