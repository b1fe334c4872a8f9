import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { validateStatements } from '../policy.ts'

/** A policy in a response. */
export const policyResponse = list(
  v.object({
    effect: v.picklist(['allow', 'deny']),
    resources: v.optional(list(v.string())),
    notResources: v.optional(list(v.string())),
    actions: v.optional(list(v.string())),
    notActions: v.optional(list(v.string())),
  }),
)

/**
 * A policy in a request. An invalid policy is rejected with the name of the invalid part, before it is stored
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export const policyRequest = v.pipe(
  v.custom<readonly Statement[]>(Array.isArray, 'must be an array'),
  v.rawCheck(({ dataset, addIssue }) => {
    for (const { attribute, reason } of validateStatements(dataset.value)) {
      const [first, ...others] = attribute.match(/[^.[\]]+/g) ?? []
      addIssue({
        message: reason,
        ...(first === undefined ? {} : { path: [pathItem(first), ...others.map(pathItem)] }),
      })
    }
  }),
)

/** Returns a step of the path of an issue, of which only the key is read. */
function pathItem(key: string) {
  return { type: 'unknown', origin: 'value', input: undefined, key, value: undefined } as const
}
