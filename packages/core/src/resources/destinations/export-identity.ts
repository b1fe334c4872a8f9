import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * The identity with which the data export of an environment authenticates to other clouds. It is created once and never
 * changes, so that the policies of customers stay valid
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d28-trust-policies).
 */
export interface ExportIdentity extends Versioned {
  readonly externalId: string
}

export const exportIdentities = documents<ExportIdentity>()({
  name: 'export-identity',
  recorded: true,
  address: 'proj/{projectKey}:env/{environmentKey}:export-identity/aws',
})
