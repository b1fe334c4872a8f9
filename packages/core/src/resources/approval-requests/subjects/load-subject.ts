import type { ApprovableKind, ApprovalPlace } from '../../../models/approval-requests/approval-request.ts'
import type { Schema } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { flagInstructions, loadFlagSubject } from './flag-subject.ts'
import { loadSegmentSubject, segmentInstructions } from './segment-subject.ts'
import type { Subject } from './subject.ts'

/** Reads what a request is about, in one turn; undefined when it is not there. */
export function loadSubject(tx: Reader, place: ApprovalPlace): Promise<Subject | undefined> {
  return place.kind === 'flag' ? loadFlagSubject(tx, place) : loadSegmentSubject(tx, place)
}

/** The schemas of instructions. */
export const instructionsOf: Readonly<Record<ApprovableKind, Schema>> = {
  flag: flagInstructions,
  segment: segmentInstructions,
}
