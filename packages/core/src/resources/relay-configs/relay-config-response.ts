import * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { type RelayConfig, relayConfigs } from '../../models/relay-configs/relay-config.ts'
import type { ReadContext } from '../../operation/context.ts'
import { accessDetails, name, timestamp } from '../../operation/schema.ts'
import { memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'
import { patchedPolicy, policyResponse } from '../roles/policy-schema.ts'

/** Properties of a Relay Proxy configuration that a patch may set. */
export const relayConfigSettings = v.object({ name: name(), policy: patchedPolicy })

const relayConfigObject = v.object({
  _id: v.string(),
  _creator: v.optional(memberSummaryResponse),
  name: v.string(),
  policy: policyResponse,
  /** Only in the responses of the creation and of a reset. */
  fullKey: v.optional(v.string()),
  displayKey: v.string(),
  creationDate: timestamp(),
  lastModified: timestamp(),
  _access: v.optional(accessDetails()),
})

/** A relay config in a response. */
export interface RelayConfigResponse extends v.InferOutput<typeof relayConfigObject> {}

export const relayConfigResponse: v.GenericSchema<RelayConfigResponse> = relayConfigObject

/**
 * Serializes a Relay Proxy configuration.
 *
 * @param fullKey the key, only when it was just generated. Default: the response contains its last four characters
 *   only.
 */
export async function serializeRelayConfig(
  context: ReadContext,
  config: RelayConfig,
  fullKey?: string,
): Promise<RelayConfigResponse> {
  const { id, name, policy, lastFour = '', creatorId, createdAt, lastModified } = config
  const creator = creatorId === undefined ? undefined : await context.tx.get(members, { memberId: creatorId })
  return {
    _id: id,
    ...(creator ? { _creator: serializeMemberSummary(creator) } : {}),
    name,
    policy,
    ...(fullKey === undefined ? {} : { fullKey }),
    displayKey: lastFour,
    creationDate: context.format.time(createdAt),
    lastModified: context.format.time(lastModified),
    _access: await context.access(relayConfigs, { id }, config),
  }
}
