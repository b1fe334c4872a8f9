import type { As } from '../../../index.ts'
import { keysOf, segmentAccount } from './segment-account.ts'

/** Creates the big segment `big`, of users unless another context kind is given. */
export async function bigAccount(contextKind?: string) {
  const account = await segmentAccount()
  await account.create('big', { unbounded: true, ...(contextKind ? { unboundedContextKind: contextKind } : {}) })
  const { api, as } = account
  return {
    ...account,
    update: (body: object, caller: As = as) =>
      api.updateBigSegmentContextTargets({ ...keysOf('big'), body }, { as: caller }),
    membership: (contextKey: string) => api.getSegmentMembershipForContext({ ...keysOf('big'), contextKey }, { as }),
    metadata: async () => (await account.get('big'))._unboundedMetadata,
  }
}
