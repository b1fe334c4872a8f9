import * as v from 'valibot'
import { list } from '../../operation/schema.ts'

/** A trust policy of AWS IAM, with the property names of IAM. */
export const trustPolicyResponse = v.object({
  awsTrustPolicy: v.object({
    Version: v.string(),
    Statement: list(
      v.object({
        Effect: v.string(),
        Action: list(v.string()),
        Principal: v.object({ AWS: v.string() }),
        Condition: v.object({ StringEquals: v.object({ 'sts:ExternalId': v.string() }) }),
      }),
    ),
  }),
})

/**
 * Makes the trust policy of a role in a customer's account. The policy allows the export to assume the role only for
 * this environment (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d28-trust-policies).
 *
 * @param roleArn role that the export uses.
 * @param externalId external id that the export must send.
 */
export function serializeTrustPolicy(roleArn: string, externalId: string): v.InferOutput<typeof trustPolicyResponse> {
  const statement = {
    Effect: 'Allow',
    Action: ['sts:AssumeRole'],
    Principal: { AWS: roleArn },
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  }
  return { awsTrustPolicy: { Version: '2012-10-17', Statement: [statement] } }
}
