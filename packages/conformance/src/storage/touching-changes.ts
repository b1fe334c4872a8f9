import type { Change, TouchedRecords } from '@halyard/core/storage'
import {
  addKeys,
  append,
  clear,
  deleteSamples,
  discard,
  discardAll,
  documentId,
  ensure,
  insert,
  moveKeys,
  remove,
  removeKeys,
  replace,
  sample,
} from './changes.ts'

const set = { name: 'set', scope: 'p' }
const other = { name: 'other', scope: 'p:q' }
const series = { name: 'series', scope: 'p' }
const document = (key: string): TouchedRecords => ({ kind: 'document', id: documentId(key, 'p') })
const keySet = (keySetId: typeof set): TouchedRecords => ({ kind: 'keys', set: keySetId })

/**
 * One batch for each kind of change, with the parts of the account that it changes. The batches can be committed in
 * this order.
 */
export const touchingChanges: readonly (readonly [batch: readonly Change[], touched: readonly TouchedRecords[]])[] = [
  [
    [insert(documentId('a', 'p')), insert(documentId('b', 'p'))],
    [document('a'), document('b')],
  ],
  [[replace(documentId('a', 'p'), 1)], [document('a')]],
  [
    [insert(documentId('c', 'p')), append(series, [sample('s1', 1)])],
    [document('c'), { kind: 'samples', series }],
  ],
  [[remove(documentId('a', 'p'), 2)], [document('a')]],
  [[ensure(documentId('d', 'p'))], [document('d')]],
  [[discard(documentId('d', 'p'))], [document('d')]],
  [[addKeys(set, ['x', 'y'])], [keySet(set)]],
  [[removeKeys(set, ['x'])], [keySet(set)]],
  [[moveKeys(set, other)], [keySet(set), keySet(other)]],
  [[moveKeys(other, set, true)], [keySet(set), keySet(other)]],
  [[append(series, [sample('s2', 2), sample('s3', 3)])], [{ kind: 'samples', series }]],
  [[deleteSamples(series, ['s2'])], [{ kind: 'samples', series }]],
  [
    [insert(documentId('e', 'p')), addKeys(set, ['z']), append(series, [sample('s4', 4)])],
    [document('e'), keySet(set), { kind: 'samples', series }],
  ],
  [[discardAll('things', 'p', { op: 'equals', field: 'key', value: 'b' })], [document('b')]],
  [[clear('p')], [document('c'), keySet(other), { kind: 'samples', series }]],
]
