import * as v from 'valibot'
import { defaultApprovalSettings } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { accessDetails, integer, jsonObject, key, links, list, name, storedOnly, tags } from '../../operation/schema.ts'

/** Schema of the approval settings of an environment. */
export const approvalSettings = v.strictObject({
  required: v.boolean(),
  bypassApprovalsForPendingChanges: v.boolean(),
  minNumApprovals: v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(5, 'must be at most 5'),
  ),
  canReviewOwnRequest: v.boolean(),
  canApplyDeclinedChanges: v.boolean(),
  serviceKind: storedOnly(v.string()),
  serviceConfig: storedOnly(jsonObject()),
  requiredApprovalTags: tags(),
  autoApplyApprovedChanges: v.boolean(),
  serviceKindConfigurationId: storedOnly(v.string()),
})

/**
 * Schema of the approval settings for resources other than flags. Omitted properties get the defaults of a new
 * environment.
 */
const settingsOfKind = v.pipe(
  v.partial(approvalSettings),
  v.transform((settings) => ({ ...defaultApprovalSettings, ...settings })),
)

/** Schema of a time to live in minutes. An SDK can cache its rules for at most one day. */
const ttl = () => integer(0, 1440)

const color = () => v.pipe(v.string(), v.regex(/^[0-9A-Fa-f]{6}$/, 'must be six hex digits'))

/** Properties of an environment that a patch can set. */
export const environmentSettings = v.object({
  name: name(),
  color: color(),
  defaultTtl: ttl(),
  secureMode: v.boolean(),
  defaultTrackEvents: v.boolean(),
  requireComments: v.boolean(),
  confirmChanges: storedOnly(v.boolean()),
  tags: tags(),
  critical: v.boolean(),
  approvalSettings,
  resourceApprovalSettings: v.optional(
    v.strictObject({ segment: v.optional(settingsOfKind), aiconfig: v.optional(settingsOfKind) }),
  ),
})

/** Body of a request that creates an environment. */
export const environmentRequest = v.strictObject({
  key: key(),
  name: name(),
  color: color(),
  defaultTtl: v.optional(ttl(), 0),
  secureMode: v.optional(v.boolean(), false),
  defaultTrackEvents: v.optional(v.boolean(), false),
  requireComments: v.optional(v.boolean(), false),
  confirmChanges: v.optional(storedOnly(v.boolean()), false),
  tags: v.optional(tags(), []),
  critical: v.optional(v.boolean(), false),
})

const environmentObject = v.object({
  _links: links(),
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  apiKey: v.string(),
  mobileKey: v.string(),
  color: v.string(),
  defaultTtl: v.number(),
  secureMode: v.boolean(),
  defaultTrackEvents: v.boolean(),
  requireComments: v.boolean(),
  confirmChanges: storedOnly(v.boolean()),
  tags: list(v.string()),
  critical: v.boolean(),
  _access: v.optional(accessDetails()),
  approvalSettings,
  resourceApprovalSettings: v.object({
    segment: v.optional(approvalSettings),
    aiconfig: v.optional(approvalSettings),
  }),
})

/** An environment in a response. */
export interface EnvironmentResponse extends v.InferOutput<typeof environmentObject> {}

export const environmentResponse: v.GenericSchema<EnvironmentResponse> = environmentObject

/** Serializes an environment. Masks its keys unless the caller has the action `viewSdkKey`. */
export async function serializeEnvironment(
  context: ReadContext,
  projectKey: string,
  environment: Environment,
): Promise<EnvironmentResponse> {
  const keys = { projectKey, environmentKey: environment.key }
  const canViewKeys = await context.allowed('viewSdkKey', environments, keys, environment)
  const { id, createdAt, version, retiredApiKey, ...properties } = environment
  return {
    ...properties,
    _links: { self: linkTo(path`/api/v2/projects/${projectKey}/environments/${environment.key}`) },
    _id: id,
    apiKey: canViewKeys ? environment.apiKey : obscured(environment.apiKey),
    mobileKey: canViewKeys ? environment.mobileKey : obscured(environment.mobileKey),
    _access: await context.access(environments, keys, environment),
    resourceApprovalSettings: environment.resourceApprovalSettings ?? {},
  }
}

/** Masks a key. Keeps its kind and its last characters, which is enough to distinguish two keys but not to use one. */
export function obscured(secret: string): string {
  return `${secret.slice(0, 4)}***${secret.slice(-4)}`
}
