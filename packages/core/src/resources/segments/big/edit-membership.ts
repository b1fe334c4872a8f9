import type { Segment, SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { Side, SideEdit } from '../target-lists.ts'
import { bigSides, type StoredSegment, writeBigSegmentKeys } from './big-segment.ts'

/**
 * Adds keys to and removes keys from the sets of a big segment, in order.
 *
 * The counts stay exact: they are computed from the sets, and a concurrent change of the sets also changes the
 * document, so that one of the two commits fails.
 *
 * @returns the document to be stored in the same commit.
 * @throws ApiError `invalid_request` when a key would be both included and excluded.
 */
export async function editMembership(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  stored: StoredSegment,
  edits: readonly SideEdit[],
): Promise<Segment> {
  const { keys, segment } = stored
  const { tx, fail } = context
  const outcomes = { included: outcomeOf(edits, 'included'), excluded: outcomeOf(edits, 'excluded') }
  const affectedKeys = [...new Set([...outcomes.included.keys(), ...outcomes.excluded.keys()])]
  const [included, excluded] = await Promise.all([
    findKeys(tx, keys, { side: 'included', affectedKeys }),
    findKeys(tx, keys, { side: 'excluded', affectedKeys }),
  ])
  const isIncluded = (key: string) => outcomes.included.get(key) ?? included.has(key)
  const isExcluded = (key: string) => outcomes.excluded.get(key) ?? excluded.has(key)
  if (affectedKeys.some((key) => isIncluded(key) && isExcluded(key))) {
    fail('invalid_request', {
      errors: [{ attribute: 'included', reason: 'must not contain a key that is also excluded' }],
    })
  }
  const edited = writeBigSegmentKeys(
    context,
    { keys, segment },
    {
      side: 'included',
      ...keyChanges(outcomes.included, included),
    },
  )
  return writeBigSegmentKeys(
    context,
    { keys, segment: edited },
    { side: 'excluded', ...keyChanges(outcomes.excluded, excluded) },
  )
}

/**
 * Returns, for each key that the edits of one side (included or excluded) name, true if the key is on that side after
 * all edits.
 */
function outcomeOf(edits: readonly SideEdit[], side: Side): ReadonlyMap<string, boolean> {
  const outcome = new Map<string, boolean>()
  for (const edit of edits) {
    if (edit.side === side) for (const key of edit.keys) outcome.set(key, edit.adds)
  }
  return outcome
}

/** Keys of one side of a segment. */
interface SideKeys {
  readonly side: Side
  readonly affectedKeys: readonly string[]
}

/** Returns those of the given keys that a side contains. */
async function findKeys(tx: Reader, keys: SegmentKeys, { side, affectedKeys }: SideKeys): Promise<Set<string>> {
  return new Set(await tx.findKeys(bigSides[side].set, keys, affectedKeys))
}

function keyChanges(outcome: ReadonlyMap<string, boolean>, present: ReadonlySet<string>) {
  const changed = [...outcome].filter(([key, isPresent]) => isPresent !== present.has(key))
  return {
    added: changed.filter(([, isPresent]) => isPresent).map(([key]) => key),
    removed: changed.filter(([, isPresent]) => !isPresent).map(([key]) => key),
  }
}
