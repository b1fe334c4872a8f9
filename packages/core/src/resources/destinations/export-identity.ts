import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * By what the data export of an environment names itself to other clouds: made once and kept, so that a policy which a
 * customer wrote goes on to hold (D28).
 */
export interface ExportIdentity extends Versioned {
  readonly externalId: string
}

export const exportIdentities = documents<ExportIdentity>()({
  name: 'export-identity',
  address: 'proj/{projectKey}:env/{environmentKey}:export-identity/aws',
})
