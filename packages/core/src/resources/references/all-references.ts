import type { ReferenceRow } from '../../operation/reference-row.ts'
import { recordedReferences } from './recorded-references.ts'
import { references } from './references.ts'

/**
 * All references of stored documents, also those that no commit has to check. The page of the documentation is derived
 * from them.
 */
export const allReferences: readonly ReferenceRow[] = [...references.rows, ...recordedReferences]
