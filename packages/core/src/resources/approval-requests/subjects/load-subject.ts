import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import type { Schema } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { contentsInstructions, loadContentsSubject } from './ai-config-contents-subject.ts'
import { loadTargetingSubject, targetingInstructions } from './ai-config-targeting-subject.ts'
import { changeListInstructions, loadChangeListSubject } from './change-list-subject.ts'
import { flagInstructions, loadFlagSubject } from './flag-subject.ts'
import { loadSegmentSubject, segmentInstructions } from './segment-subject.ts'
import type { Subject } from './subject.ts'

/** Requests about one kind of subject. */
interface SubjectKind {
  /** Schema of the instructions. */
  readonly instructions: Schema
  /** Reads the subject; undefined when it does not exist. */
  load(tx: Reader, ref: ResourceRef): Promise<Subject | undefined>
}

const flag: SubjectKind = { instructions: flagInstructions, load: loadFlagSubject }
const segment: SubjectKind = { instructions: segmentInstructions, load: loadSegmentSubject }
const aiConfigTargeting: SubjectKind = { instructions: targetingInstructions, load: loadTargetingSubject }
const aiConfigContents: SubjectKind = { instructions: contentsInstructions, load: loadContentsSubject }

const changeList: SubjectKind = { instructions: changeListInstructions, load: loadChangeListSubject }

function subjectKindOf({ kind, environmentKey }: ResourceRef): SubjectKind {
  if (kind === 'flag') return flag
  if (kind === 'segment') return segment
  if (kind === 'proj') return changeList
  return environmentKey === undefined ? aiConfigContents : aiConfigTargeting
}

/** Reads the resource of a request; undefined when it does not exist. */
export function loadSubject(tx: Reader, ref: ResourceRef): Promise<Subject | undefined> {
  return subjectKindOf(ref).load(tx, ref)
}

/** Returns the schema of the instructions of requests about a resource. */
export function instructionsFor(ref: ResourceRef): Schema {
  return subjectKindOf(ref).instructions
}
