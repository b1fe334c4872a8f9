import * as v from 'valibot'
import { fail } from '../../operation/errors.ts'
import { list } from '../../operation/schema.ts'
import type { Statement, StatementError } from '../../rules/policy/statement.ts'
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

const anyPolicy = v.custom<readonly Statement[]>(Array.isArray, 'must be an array')

/**
 * A policy in a request. An invalid policy is rejected with the name of the invalid part, before it is stored
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export const policyRequest = v.pipe(
  anyPolicy,
  v.rawCheck(({ dataset, addIssue }) => {
    for (const error of validateStatements(dataset.value)) addIssue({ message: messageOf(error) })
  }),
)

/**
 * A policy in a stored document that a JSON Patch changed. The schema accepts any policy, because it does not know the
 * policy before the patch: operations call `requireValidPolicy` afterwards.
 */
export const patchedPolicy = anyPolicy

/**
 * Requires that a patched policy is valid. Statements that the patch did not change may name unknown actions, so that
 * documents of other versions can still be patched.
 *
 * @param attribute property that contains the policy.
 * @throws ApiError `invalid_request` that names each invalid part.
 */
export function requireValidPolicy(
  attribute: string,
  before: readonly Statement[] | undefined,
  after: readonly Statement[] | undefined,
): void {
  const errors = validateStatements(after ?? [], before).map((error) => ({ attribute, reason: messageOf(error) }))
  if (errors.length > 0) fail('invalid_request', { errors })
}

function messageOf({ attribute, reason }: StatementError): string {
  return `${attribute} ${reason}`
}
