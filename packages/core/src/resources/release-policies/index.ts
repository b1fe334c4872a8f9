import { policyRankings } from '../../models/release-policies/policy-ranking.ts'
import { releasePolicies as releasePolicieDocuments } from '../../models/release-policies/release-policy.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const releasePolicies = resource({
  title: 'Release policies',
  description: 'Rules for the release of flags, by rank and scope.',
  kinds: [
    {
      shape: 'proj:release-policy',
      actions: ['createReleasePolicy', 'updateReleasePolicy', 'updateReleasePolicyRank', 'deleteReleasePolicy'],
    },
  ],
  collections: [policyRankings, releasePolicieDocuments],
  operations: Object.values(operations),
  parameters: {
    excludeDefault: 'Leaves out the default policy.',
    policyKey: 'Key of the release policy.',
  },
})
