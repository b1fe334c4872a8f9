import type { Condition, Fields } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { commit, documentId, insert } from './changes.ts'
import type { StorageCaseContext, StorageCases } from './conformance-case.ts'

const rows: Readonly<Record<string, Fields>> = {
  a: { name: 'Alpha', n: 1, on: true, tags: ['red', 'blue'] },
  b: { name: 'beta', n: 2, on: false, tags: ['blue'] },
  c: { name: '100% sure', n: 3, tags: [] },
  d: { name: 'snake_case', n: -1.5, on: null, tags: null },
  e: { name: 'back\\slash', n: 0 },
  f: { name: '\u00c9COLE', n: '1', on: 'true' },
  g: { name: null, n: null },
  h: {},
  i: { name: '1', tags: ['1', 'Alpha', 'x y', 'a,b', '"quoted"'] },
  j: { name: '', n: 2 },
  k: { name: "O'Hara", tags: ['100%'] },
  l: { name: '\u00e9cole' },
}

const all = 'abcdefghijkl'

const equals = (field: string, value: string | number | boolean): Condition => ({ op: 'equals', field, value })
const anyOf = (field: string, ...values: (string | number)[]): Condition => ({ op: 'anyOf', field, values })
const contains = (field: string, text: string): Condition => ({ op: 'contains', in: [field], text })
const exists = (field: string, value: boolean): Condition => ({ op: 'exists', field, value })
const range = (from?: number, to?: number): Condition => ({ op: 'range', field: 'n', from, to })
const and = (...conditions: Condition[]): Condition => ({ op: 'and', all: conditions })
const or = (...conditions: Condition[]): Condition => ({ op: 'or', any: conditions })
const not = (condition: Condition): Condition => ({ op: 'not', condition })

/** For each rule of the port, pairs of a condition and the keys of the rows that meet it. */
const matchesByRule: Readonly<Record<string, readonly (readonly [Condition, string])[]>> = {
  'equals compares text exactly': [
    [equals('name', 'Alpha'), 'a'],
    [equals('name', 'alpha'), ''],
    [equals('name', ''), 'j'],
    [equals('name', "O'Hara"), 'k'],
    [equals('name', 'back\\slash'), 'e'],
    [equals('name', '100%'), ''],
    [equals('name', '\u00e9cole'), 'l'],
    [equals('none', 'Alpha'), ''],
  ],
  'equals compares numbers and booleans': [
    [equals('n', 1), 'a'],
    [equals('n', 2), 'bj'],
    [equals('n', -1.5), 'd'],
    [equals('n', 0), 'e'],
    [equals('on', true), 'a'],
    [equals('on', false), 'b'],
  ],
  'equals distinguishes a number or a boolean from its text': [
    [equals('n', '1'), 'f'],
    [equals('on', 'true'), 'f'],
    [equals('name', 1), ''],
  ],
  'equals on a list is true when the list contains the value': [
    [equals('tags', 'blue'), 'ab'],
    [equals('tags', '100%'), 'k'],
    [equals('tags', 'a,b'), 'i'],
    [equals('tags', '"quoted"'), 'i'],
    [equals('tags', 'a'), ''],
    [equals('tags', 'Blue'), ''],
    [equals('tags', 1), ''],
  ],
  'anyOf is true when the field equals one of the values': [
    [anyOf('name', 'Alpha', 'beta', 'none'), 'ab'],
    [anyOf('n', 1, 2), 'abj'],
    [anyOf('n', '1', 3), 'cf'],
    [anyOf('name'), ''],
  ],
  'anyOf on a list is true when the list contains one of the values': [
    [anyOf('tags', 'red', '100%'), 'ak'],
    [anyOf('tags', 'blue', 'red'), 'ab'],
    [anyOf('tags', 'none', 1), ''],
    [anyOf('tags'), ''],
  ],
  'contains searches for a part of a text': [
    [contains('name', 'a'), 'abdek'],
    [contains('name', "'"), 'k'],
    [contains('name', 'zzz'), ''],
    [contains('name', ''), 'abcdefijkl'],
    [contains('none', 'a'), ''],
  ],
  'contains ignores the case of ASCII letters only': [
    [contains('name', 'ALPHA'), 'a'],
    [contains('name', "o'h"), 'k'],
    [contains('name', 'COLE'), 'fl'],
    [contains('name', '\u00c9cole'), 'f'],
    [contains('name', '\u00e9COLE'), 'l'],
  ],
  'contains treats wildcards and escapes as ordinary characters': [
    [contains('name', '%'), 'c'],
    [contains('name', '0% s'), 'c'],
    [contains('name', '_'), 'd'],
    [contains('name', '\\'), 'e'],
    [contains('name', 'k\\s'), 'e'],
    [contains('name', '\\s'), 'e'],
    [contains('name', '.*'), ''],
    [contains('name', 'a%a'), ''],
  ],
  'contains searches several fields': [
    [{ op: 'contains', in: ['name', 'key'], text: 'K' }, 'dek'],
    [{ op: 'contains', in: ['none', 'name'], text: 'beta' }, 'b'],
    [{ op: 'contains', in: [], text: 'a' }, ''],
  ],
  'contains searches text fields only': [
    [contains('n', '1'), 'f'],
    [contains('on', 'true'), 'f'],
    [contains('tags', 'blue'), ''],
  ],
  'exists is true when the field is present and not null': [
    [exists('name', true), 'abcdefijkl'],
    [exists('name', false), 'gh'],
    [exists('tags', true), 'abcik'],
    [exists('on', false), 'cdeghijkl'],
    [exists('none', true), ''],
    [exists('none', false), all],
  ],
  'range includes its start, excludes its end, and may omit either or both': [
    [range(1, 3), 'abj'],
    [range(2), 'bcj'],
    [range(undefined, 1), 'de'],
    [range(3, 3), ''],
    [range(-1.5, -1.4), 'd'],
    [range(), 'abcdej'],
  ],
  'key can be used like any field': [
    [equals('key', 'c'), 'c'],
    [anyOf('key', 'h', 'a', 'z'), 'ah'],
    [contains('key', 'B'), 'b'],
    [exists('key', true), all],
    [not(equals('key', 'c')), 'abdefghijkl'],
  ],
  '"and" requires all conditions, "or" requires one': [
    [and(equals('tags', 'blue'), range(2)), 'b'],
    [and(equals('tags', 'blue'), equals('tags', 'red')), 'a'],
    [and(), all],
    [or(equals('name', 'Alpha'), exists('name', false)), 'agh'],
    [or(), ''],
  ],
  '"not" negates a condition, also when the field is missing': [
    [not(equals('name', 'Alpha')), 'bcdefghijkl'],
    [not(equals('tags', 'blue')), 'cdefghijkl'],
    [not(equals('on', true)), 'bcdefghijkl'],
    [not(anyOf('n', 1, 2)), 'cdefghikl'],
    [not(anyOf('tags', 'blue')), 'cdefghijkl'],
    [not(contains('name', 'a')), 'cfghijl'],
    [not(range(1)), 'defghikl'],
    [not(exists('name', true)), 'gh'],
    [not(and()), ''],
    [not(or()), all],
  ],
  'conditions can be nested': [
    [not(not(equals('name', 'Alpha'))), 'a'],
    [not(and(exists('n', true), not(range(2)))), 'bcghijkl'],
    [and(or(equals('on', true), equals('on', false)), not(and(equals('tags', 'red'), range(undefined, 2)))), 'b'],
    [
      or(
        and(contains('name', 'e'), or(equals('n', 2), equals('n', 3))),
        not(or(exists('n', true), exists('name', true))),
      ),
      'bcgh',
    ],
  ],
}

export const conditionCases: StorageCases = {
  group: 'conditions',
  cases: {
    ...Object.fromEntries(
      Object.entries(matchesByRule).map(([name, pairs]) => [
        name,
        async ({ account }: StorageCaseContext) => {
          await fill(account)
          for (const [condition, expected] of pairs) {
            assert.equal(await matching(account, [condition]), expected, JSON.stringify(condition))
          }
        },
      ]),
    ),

    'a list returns the documents that meet all of its conditions': async ({ account }) => {
      await fill(account)
      assert.equal(await matching(account, [equals('tags', 'blue'), range(2), exists('on', true)]), 'b')
      assert.equal(await matching(account, [equals('tags', 'blue'), equals('n', 3)]), '')
      assert.equal(await matching(account, []), all)
    },
  },
}

async function fill(account: StorageCaseContext['account']): Promise<void> {
  await commit(account, ...Object.entries(rows).map(([key, fields]) => insert(documentId(key), null, fields)))
}

async function matching(account: StorageCaseContext['account'], where: readonly Condition[]): Promise<string> {
  const page = await account.list({ collection: 'things', scope: '', where, limit: 100, select: 'fields' })
  return page.items.map((item) => item.key).join('')
}
