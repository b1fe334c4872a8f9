import * as v from 'valibot'
import { list } from '../../operation/schema.ts'

/** A trust policy of AWS IAM, whose members have the names that IAM gives them. */
export const trustPolicyWire = v.object({
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
 * The trust policy of a role in a customer's account: it lets the export in, and only when that acts for this
 * environment (D28).
 *
 * @param roleArn who comes.
 * @param externalId what they have to name.
 */
export function presentTrustPolicy(roleArn: string, externalId: string): v.InferOutput<typeof trustPolicyWire> {
  const statement = {
    Effect: 'Allow',
    Action: ['sts:AssumeRole'],
    Principal: { AWS: roleArn },
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  }
  return { awsTrustPolicy: { Version: '2012-10-17', Statement: [statement] } }
}
