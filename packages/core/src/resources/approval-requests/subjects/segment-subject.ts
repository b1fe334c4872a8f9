import * as v from 'valibot'
import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import { environments } from '../../../models/environments/environment.ts'
import { type Segment, segments } from '../../../models/segments/segment.ts'
import { list } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { applySegmentInstructions } from '../../segments/changes/apply-segment-instructions.ts'
import { editKeys } from '../../segments/changes/edit-keys.ts'
import { saveSegment } from '../../segments/changes/save-segment.ts'
import { type SegmentInstruction, segmentInstruction } from '../../segments/changes/segment-instruction.ts'
import { segmentAt } from '../../segments/segment-at.ts'
import { changedSegmentProperties } from './changed-properties.ts'
import { isReference, readReferences, referencesIn } from './references.ts'
import type { Subject } from './subject.ts'

export const segmentInstructions = v.object({ instructions: list(segmentInstruction) })

/** Loads a segment as the subject of requests. */
export async function loadSegmentSubject(tx: Reader, resourceRef: ResourceRef): Promise<Subject | undefined> {
  const { projectKey, environmentKey = '', resourceKey: segmentKey } = resourceRef
  const keys = { projectKey, environmentKey, segmentKey }
  const [segment, environment] = await Promise.all([tx.get(segments, keys), tx.get(environments, keys)])
  if (!segment || !environment) return undefined
  return {
    partsOf: (instruction) => [
      ...changedSegmentProperties[instruction.kind as SegmentInstruction['kind']].map((property) =>
        storedIn(segment, property),
      ),
      ...referencesIn(instruction, segment.rules),
    ],
    valueOf: async (reader, part, writer) =>
      isReference(part)
        ? readReferences(reader, { resourceRef, reference: part }, writer)
        : segment[part as keyof typeof segment],
    async apply(context, instructions, { fullCheck }) {
      const current = segmentAt(segment, context)
      const edited = applySegmentInstructions(context, current, instructions as readonly SegmentInstruction[])
      // The keys of a big segment cannot be in conflict while its sets are unchanged.
      const after = fullCheck ? await editKeys(context, keys, edited) : edited.segment
      await saveSegment(context, { keys, before: segment, after })
    },
    requireUnchanged(writer) {
      writer.expect(environments, keys, environment)
      writer.expect(segments, keys, segment)
    },
  }
}

/** Returns the property that stores a property of the segment. The lists of a big segment are stored in its sets. */
function storedIn({ unbounded }: Segment, property: keyof Segment): keyof Segment {
  if (!unbounded) return property
  if (property === 'included' || property === 'includedContexts') return 'bigIncluded'
  return property === 'excluded' || property === 'excludedContexts' ? 'bigExcluded' : property
}
