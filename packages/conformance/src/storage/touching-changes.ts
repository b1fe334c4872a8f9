import type { Change, Touched } from '@halyard/core/storage'
import {
  addMembers,
  append,
  clear,
  discard,
  discardAll,
  ensure,
  insert,
  moveMembers,
  place,
  remove,
  removeMembers,
  replace,
  sample,
  withdraw,
} from './changes.ts'

const set = { name: 'set', scope: 'p' }
const other = { name: 'other', scope: 'p:q' }
const series = { name: 'series', scope: 'p' }
const document = (key: string): Touched => ({ what: 'document', id: place(key, 'p') })
const members = (of: typeof set): Touched => ({ what: 'members', set: of })

/**
 * A batch for each kind of change, in an order in which they can be committed, with the parts of the account that it
 * changes.
 */
export const touchingChanges: readonly (readonly [batch: readonly Change[], touched: readonly Touched[]])[] = [
  [
    [insert(place('a', 'p')), insert(place('b', 'p'))],
    [document('a'), document('b')],
  ],
  [[replace(place('a', 'p'), 1)], [document('a')]],
  [
    [insert(place('c', 'p')), append(series, [sample('s1', 1)])],
    [document('c'), { what: 'samples', series }],
  ],
  [[remove(place('a', 'p'), 2)], [document('a')]],
  [[ensure(place('d', 'p'))], [document('d')]],
  [[discard(place('d', 'p'))], [document('d')]],
  [[addMembers(set, ['x', 'y'])], [members(set)]],
  [[removeMembers(set, ['x'])], [members(set)]],
  [[moveMembers(set, other)], [members(set), members(other)]],
  [[moveMembers(other, set, true)], [members(set), members(other)]],
  [[append(series, [sample('s2', 2), sample('s3', 3)])], [{ what: 'samples', series }]],
  [[withdraw(series, ['s2'])], [{ what: 'samples', series }]],
  [
    [insert(place('e', 'p')), addMembers(set, ['z']), append(series, [sample('s4', 4)])],
    [document('e'), members(set), { what: 'samples', series }],
  ],
  [[discardAll('things', 'p', { op: 'equals', field: 'key', value: 'b' })], [document('b')]],
  [[clear('p')], [document('c'), members(other), { what: 'samples', series }]],
]
