import * as v from 'valibot'
import { fail } from '../../operation/errors.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { parseSpecifier } from '../policy.ts'
import { policyRequest } from '../roles/policy-schema.ts'

/** The shape of the resources that the policy of relays is about. */
const environmentShape = 'proj:env'

/** A policy of relays in a request. */
export const relayPolicyRequest = v.pipe(
  policyRequest,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const message of relayPolicyErrors(dataset.value)) addIssue({ message })
  }),
)

/**
 * Requires that a valid policy of relays is about environments, because statements about other resources would have no
 * effect.
 *
 * @throws ApiError `invalid_request` that names each invalid part.
 */
export function requireRelayPolicy(policy: readonly Statement[]): void {
  const errors = relayPolicyErrors(policy).map((reason) => ({ attribute: 'policy', reason }))
  if (errors.length > 0) fail('invalid_request', { errors })
}

function relayPolicyErrors(policy: readonly Statement[]): string[] {
  return policy.flatMap((statement, index) =>
    (['resources', 'notResources'] as const).flatMap((list) =>
      (statement[list] ?? []).flatMap((specifier, position) => {
        const reason = specifierError(specifier)
        return reason === undefined ? [] : `[${index}].${list}[${position}] ${reason}`
      }),
    ),
  )
}

function specifierError(text: string): string | undefined {
  const specifier = parseSpecifier(text)
  if (typeof specifier === 'string' || specifier.shape !== environmentShape)
    return 'must be a specifier of environments, e.g. `proj/*:env/production`'
  // A deny statement with a placeholder would deny nothing.
  return text.includes('${') ? 'must contain no placeholder, because a relay has no role attributes' : undefined
}
