import type { Segment, SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { Side, SideEdit } from '../target-lists.ts'
import { bigSides, type Difference, writeMembers } from './big-segment.ts'

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
  keys: SegmentKeys,
  segment: Segment,
  edits: readonly SideEdit[],
): Promise<Segment> {
  const { tx, fail } = context
  const now = context.readClock()
  const wanted = { included: outcomeOf(edits, 'included'), excluded: outcomeOf(edits, 'excluded') }
  const named = [...new Set([...wanted.included.keys(), ...wanted.excluded.keys()])]
  const [included, excluded] = await Promise.all([
    membersAmong(tx, keys, 'included', named),
    membersAmong(tx, keys, 'excluded', named),
  ])
  const isIncluded = (key: string) => wanted.included.get(key) ?? included.has(key)
  const isExcluded = (key: string) => wanted.excluded.get(key) ?? excluded.has(key)
  if (named.some((key) => isIncluded(key) && isExcluded(key))) {
    fail('invalid_request', { errors: [{ attribute: 'included', reason: 'must not contain a key that is also excluded' }] })
  }
  const edited = writeMembers(tx, keys, segment, 'included', differenceOf(wanted.included, included), now)
  return writeMembers(tx, keys, edited, 'excluded', differenceOf(wanted.excluded, excluded), now)
}

/** Returns, for each key that the edits of a side name, whether it is on that side in the end. */
function outcomeOf(edits: readonly SideEdit[], side: Side): ReadonlyMap<string, boolean> {
  const outcome = new Map<string, boolean>()
  for (const edit of edits) {
    if (edit.side === side) for (const key of edit.keys) outcome.set(key, edit.adds)
  }
  return outcome
}

/** Returns the keys among these that a side contains. */
async function membersAmong(tx: Reader, keys: SegmentKeys, side: Side, named: readonly string[]): Promise<Set<string>> {
  return new Set(await tx.findKeys(bigSides[side].set, keys, named))
}

function differenceOf(wanted: ReadonlyMap<string, boolean>, present: ReadonlySet<string>): Difference {
  const changed = [...wanted].filter(([key, on]) => on !== present.has(key))
  return {
    added: changed.filter(([, on]) => on).map(([key]) => key),
    removed: changed.filter(([, on]) => !on).map(([key]) => key),
  }
}
