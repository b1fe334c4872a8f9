import { environments } from '../../../models/environments/environment.ts'
import { type BigList, generations, type Segment, type segments } from '../../../models/segments/segment.ts'
import type { UndoContext, UndoRules } from '../../../operation/undo/undo-rules.ts'
import { requireComment } from '../../environments/require-comment.ts'
import { segmentAt } from '../segment-at.ts'
import { requireValidReferences } from './require-valid-references.ts'
import { saveSegment } from './save-segment.ts'

/** Rules for undoing changes of segments. They are undone like changes that a patch makes. */
export const undoSegments: UndoRules<Segment, typeof segments.template> = {
  async update(context, { keys, current, wanted }, options) {
    if (
      setOf(wanted.bigIncluded) !== setOf(current.bigIncluded) ||
      setOf(wanted.bigExcluded) !== setOf(current.bigExcluded)
    ) {
      refuseKeys(context)
    }
    const environment = (await context.tx.get(environments, keys)) ?? context.fail('not_found')
    const edited = segmentAt(wanted, context)
    const after = await saveSegment(context, { keys, before: current, after: edited })
    if (after !== current) requireComment(environment, options.comment)
  },
  async prepare(context, keys, segment) {
    const { tx } = context
    if ((segment.bigIncluded?.count ?? 0) + (segment.bigExcluded?.count ?? 0) > 0) refuseKeys(context)
    await requireValidReferences(context, { keys, before: { ...segment, rules: [] }, after: segment })
    const previous = segment.unbounded ? await tx.get(generations, keys) : undefined
    return previous ? { ...segment, generation: previous.count + 1 } : segment
  },
}

/** Returns a number that identifies the content of the set of a big segment. */
function setOf(list: BigList | undefined): number | undefined {
  return list?.revision
}

function refuseKeys({ fail }: UndoContext): never {
  const reason = 'the change log does not contain the keys of a big segment'
  return fail('invalid_request', { message: `This entry cannot be reverted: ${reason}` })
}
