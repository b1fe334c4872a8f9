import type { ReferenceRow } from '../../operation/reference-row.ts'

export const recordedReferences: readonly ReferenceRow[] = []
