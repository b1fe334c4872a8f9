import { resource } from '../../operation/resource.ts'
import { createReleasePolicy } from './create-release-policy.ts'
import { deleteReleasePolicy } from './delete-release-policy.ts'
import { getReleasePolicy } from './get-release-policy.ts'
import { listReleasePolicies } from './list-release-policies.ts'
import { orderReleasePolicies } from './order-release-policies.ts'
import { policyRankings } from './policy-ranking.ts'
import { putReleasePolicy } from './put-release-policy.ts'
import { releasePolicies as releasePolicieDocuments } from './release-policy.ts'

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
  operations: [
    listReleasePolicies,
    createReleasePolicy,
    orderReleasePolicies,
    getReleasePolicy,
    putReleasePolicy,
    deleteReleasePolicy,
  ],
  parameters: {
    excludeDefault: 'Leaves out the default policy.',
    policyKey: 'Key of the release policy.',
  },
})
