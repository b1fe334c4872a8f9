import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { type SdkKey, type SdkKeyKeys, sdkKeyDocuments, sdkKeyKinds } from '../../models/sdk-keys/sdk-key.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { masked } from '../../operation/masked.ts'
import { links, timestamp } from '../../operation/schema.ts'
import { obscured } from '../environments/environment-schema.ts'
import { isDefaultKey } from './default-sdk-key.ts'

/** Schema of the kind of an SDK key in requests. */
export const sdkKeyKind = () => v.picklist(sdkKeyKinds, `must be one of ${sdkKeyKinds.join(', ')}`)

const sdkKeyObject = v.object({
  _links: links(),
  _createdAt: timestamp(),
  _updatedAt: timestamp(),
  _version: v.number(),
  _createdByMemberId: v.optional(v.string()),
  kind: v.picklist(sdkKeyKinds),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  /** The secret that SDKs send, masked for callers without `viewSdkKey`. */
  value: v.string(),
  /** True for the default keys, which are properties of the environment. */
  isDefault: v.boolean(),
  /** Time from which SDKs with the key are rejected. */
  expiry: v.optional(timestamp()),
})

/** An SDK key in a response. */
export interface SdkKeyResponse extends v.InferOutput<typeof sdkKeyObject> {}

export const sdkKeyResponse: v.GenericSchema<SdkKeyResponse> = sdkKeyObject

/** Serializes an SDK key. Masks its value unless the caller has the action `viewSdkKey`. */
export async function serializeSdkKey(context: ReadContext, sdkKey: SdkKey, keys: SdkKeyKeys): Promise<SdkKeyResponse> {
  const { key, kind, name, description, value, expiry, createdByMemberId, createdAt, updatedAt, version } = sdkKey
  const parent = path`/api/v2/projects/${keys.projectKey}/environments/${keys.environmentKey}/sdk-keys`
  const isDefault = isDefaultKey(key)
  // A default key is a property of the environment, and so is the right to see it.
  const canViewValue = await (isDefault
    ? context.allowed('viewSdkKey', environments, keys)
    : context.allowed('viewSdkKey', sdkKeyDocuments, keys, sdkKey))
  return {
    _links: selfAndParent(parent + path`/${key}`, parent),
    _createdAt: context.format.time(createdAt),
    _updatedAt: context.format.time(updatedAt),
    _version: version,
    ...(createdByMemberId === undefined ? {} : { _createdByMemberId: createdByMemberId }),
    kind,
    key,
    name,
    description,
    value: value === undefined ? masked : canViewValue ? value : obscured(value),
    isDefault,
    ...(expiry === undefined ? {} : { expiry: context.format.time(expiry) }),
  }
}
