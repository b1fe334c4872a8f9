import * as v from 'valibot'
import type { ApprovalPlace } from '../../../models/approval-requests/approval-request.ts'
import { settingsFor } from '../../../models/environments/approval-settings.ts'
import { environments } from '../../../models/environments/environment.ts'
import { segments } from '../../../models/segments/segment.ts'
import { list } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { editKeys } from '../../segments/changes/edit-keys.ts'
import { instructedSegment } from '../../segments/changes/instructed-segment.ts'
import { saveSegment } from '../../segments/changes/save-segment.ts'
import { type SegmentInstruction, segmentInstruction } from '../../segments/changes/segment-instruction-wire.ts'
import { segmentAt } from '../../segments/segment-at.ts'
import { segmentMembers } from './changed-members.ts'
import { isReference, referenced, referencesIn } from './references.ts'
import type { Subject } from './subject.ts'

export const segmentInstructions = v.object({ instructions: list(segmentInstruction) })

/** Loads a segment as the subject of requests. */
export async function loadSegmentSubject(tx: Reader, place: ApprovalPlace): Promise<Subject | undefined> {
  const { projectKey, environmentKey, resourceKey: segmentKey } = place
  const keys = { projectKey, environmentKey, segmentKey }
  const [segment, environment] = await Promise.all([tx.get(segments, keys), tx.get(environments, keys)])
  if (!segment || !environment) return undefined
  return {
    environment,
    settings: settingsFor(environment, 'segment'),
    partsOf: (instruction) => [
      ...segmentMembers[instruction.kind as SegmentInstruction['kind']],
      ...referencesIn(instruction, segment.rules),
    ],
    valueOf: async (reader, part, hold) =>
      isReference(part) ? referenced(reader, place, part, hold) : segment[part as keyof typeof segment],
    async follow(context, instructions, { thorough }) {
      const seen = segmentAt(segment, context)
      const edited = instructedSegment(context, seen, instructions as readonly SegmentInstruction[])
      // The keys of a big segment cannot be in conflict while its sets are unchanged.
      const after = thorough ? await editKeys(context, keys, edited) : edited.segment
      await saveSegment(context, keys, environment, segment, after, { approvedIn: environmentKey })
    },
    hold(writer) {
      writer.expect(environments, keys, environment)
      writer.expect(segments, keys, segment)
    },
  }
}
