import * as v from 'valibot'
import type { SeenContext } from '../../../models/contexts/seen-context.ts'
import type { Environment } from '../../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { linkTo, path } from '../../../operation/link.ts'
import { anyObject, links, list, timestamp } from '../../../operation/schema.ts'
import { redactedAttributesOf } from '../redacted-attributes.ts'

/**
 * Attributes of users that are properties of the response, all of them texts. All other attributes are custom
 * attributes.
 */
export const standardAttributes = [
  'secondary',
  'ip',
  'country',
  'email',
  'firstName',
  'lastName',
  'avatar',
  'name',
] as const

const isStandard = (name: string): name is (typeof standardAttributes)[number] =>
  (standardAttributes as readonly string[]).includes(name)

const text = () => v.optional(v.string())

const userResponse = v.object({
  key: v.string(),
  secondary: text(),
  ip: text(),
  country: text(),
  email: text(),
  firstName: text(),
  lastName: text(),
  avatar: text(),
  name: text(),
  anonymous: v.optional(v.boolean()),
  custom: v.optional(anyObject()),
  privateAttrs: v.optional(list(v.string())),
})

/** Response with a context of kind `user` in the form that the API used before it had contexts. */
export const userRecordResponse = v.object({
  lastPing: timestamp(),
  environmentId: v.string(),
  user: userResponse,
  _links: links(),
})

/** Returns the record of a user. */
export function serializeUser(
  { format }: Pick<ReadContext, 'format'>,
  { context, lastSeen }: SeenContext,
  { environment, projectKey, environmentKey }: EnvironmentKeys & { readonly environment: Environment },
): v.InferOutput<typeof userRecordResponse> {
  const { kind: _, key, anonymous, _meta: meta, ...attributes } = context
  const entries = Object.entries(attributes)
  const isText = ([name, value]: readonly [string, unknown]) => isStandard(name) && typeof value === 'string'
  const custom = entries.filter((entry) => !isText(entry))
  const privateAttrs = redactedAttributesOf(meta)
  return {
    lastPing: format.time(lastSeen),
    environmentId: environment.id,
    user: {
      key,
      ...Object.fromEntries(entries.filter(isText)),
      ...(anonymous === true ? { anonymous } : {}),
      ...(custom.length > 0 ? { custom: Object.fromEntries(custom) } : {}),
      ...(privateAttrs.length > 0 ? { privateAttrs } : {}),
    },
    _links: {
      self: linkTo(path`/api/v2/users/${projectKey}/${environmentKey}/${key}`),
      parent: linkTo(path`/api/v2/users/${projectKey}/${environmentKey}`),
      settings: linkTo(path`/api/v2/users/${projectKey}/${environmentKey}/${key}/flags`),
    },
  }
}
