import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { exportIdentities } from './export-identity.ts'
import { serializeTrustPolicy, trustPolicyResponse } from './trust-policy-response.ts'

export const generateTrustPolicy = operation({
  id: 'generateTrustPolicy',
  summary: 'Generate the trust policy by which a cloud account accepts the data exports of an environment',
  method: 'POST',
  path: '/api/v2/destinations/projects/{projectKey}/environments/{environmentKey}/generate-trust-policy',
  success: { status: 201, body: trustPolicyResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'generateTrustPolicy', resource: 'proj/{projectKey}:env/{environmentKey}:destination/*' },
  // The second of two concurrent calls finds the identity that the first created.
  async handle(context, { params }) {
    const { tx, options, fail } = context
    const host = context.useHost()
    const [environment = fail('not_found'), identity] = await Promise.all([
      tx.get(environments, params),
      tx.get(exportIdentities, params),
    ])
    const { dataExportRoleArn = fail('invalid_request', { message: missingRoleMessage }) } = options
    if (identity) return serializeTrustPolicy(dataExportRoleArn, identity.externalId)
    tx.expect(environments, params, environment)
    const { externalId } = tx.insert(exportIdentities, params, { externalId: host.newId() })
    return serializeTrustPolicy(dataExportRoleArn, externalId)
  },
})

const missingRoleMessage =
  'A trust policy names the AWS role that writes data exports, and this service has none. Its operator must set the engine option dataExportRoleArn (halyard serve: HALYARD_DATA_EXPORT_ROLE_ARN) to the ARN of a role, e.g. arn:aws:iam::123456789012:role/data-export'
