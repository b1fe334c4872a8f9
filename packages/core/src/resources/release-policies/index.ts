import { createReleasePolicy } from './create-release-policy.ts'
import { deleteReleasePolicy } from './delete-release-policy.ts'
import { getReleasePolicy } from './get-release-policy.ts'
import { listReleasePolicies } from './list-release-policies.ts'
import { orderReleasePolicies } from './order-release-policies.ts'
import { putReleasePolicy } from './put-release-policy.ts'

export const releasePolicyOperations = [
  listReleasePolicies,
  createReleasePolicy,
  orderReleasePolicies,
  getReleasePolicy,
  putReleasePolicy,
  deleteReleasePolicy,
] as const
