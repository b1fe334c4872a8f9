import type { ApprovableKind, ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import type { Schema } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { flagInstructions, loadFlagSubject } from './flag-subject.ts'
import { loadSegmentSubject, segmentInstructions } from './segment-subject.ts'
import type { Subject } from './subject.ts'

/** Reads the resource of a request in one round of storage requests; undefined when it does not exist. */
export function loadSubject(tx: Reader, ref: ResourceRef): Promise<Subject | undefined> {
  return ref.kind === 'flag' ? loadFlagSubject(tx, ref) : loadSegmentSubject(tx, ref)
}

/** Schemas of the instructions, by kind of resource. */
export const instructionsOf: Readonly<Record<ApprovableKind, Schema>> = {
  flag: flagInstructions,
  segment: segmentInstructions,
}
