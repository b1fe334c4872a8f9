import type { ClauseData, SegmentData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'
import { malformed, matched, type PublishedCase, ruledFlag, unmatched } from './published-case.ts'

/*
 * Cases derived from launchdarkly/sdk-test-harness, data/data-files/server-side-eval: segment-match and
 * segment-recursion.
 */

const isIn = (keys: readonly string[], overrides: Partial<ClauseData> = {}): ClauseData => ({
  attribute: '',
  op: 'segmentMatch',
  values: keys,
  ...overrides,
})
const truth = (attribute: string, overrides: Partial<ClauseData> = {}) => ({
  clauses: [{ attribute, op: 'in', values: [true], ...overrides }],
})
const user = (key: string, attributes: object = {}): EvaluationContext => ({ kind: 'user', key, ...attributes })
const ofKind = (kind: string, key: string, attributes: object = {}) => ({ kind, key, ...attributes })

const listed: SegmentData = { key: 'listed', included: ['in'], excluded: ['out'], rules: [truth('first')] }
const ruled: SegmentData = { key: 'ruled', rules: [truth('second')] }
const ofKinds: SegmentData = {
  key: 'of kinds',
  included: ['user-in'],
  excluded: ['user-out'],
  includedContexts: [
    { contextKind: 'kind1', values: ['in-1'] },
    { contextKind: 'kind2', values: ['in-2'] },
  ],
  excludedContexts: [
    { contextKind: 'kind1', values: ['out-1'] },
    { contextKind: 'kind2', values: ['out-2'] },
  ],
  rules: [truth('user-rule'), truth('kind1-rule', { contextKind: 'kind1' })],
}
/** Includes the bucket of `user-key` and excludes that of `unmatching-key`. */
const weighed: SegmentData = {
  key: 'segment3',
  salt: 'salty',
  rules: [{ id: 'ruleid', ...truth('third'), weight: 14_955 }],
}
const segments = [listed, ruled, ofKinds, weighed]

const caseOf = (clause: ClauseData, context: EvaluationContext, matches: boolean): PublishedCase => ({
  name: `${clause.negate ? 'not in' : 'in'} ${clause.values?.join(' or ')}: ${JSON.stringify(context)}`,
  flags: [ruledFlag('f', [clause])],
  segments,
  flagKey: 'f',
  context,
  fallback: false,
  expected: matches ? matched : unmatched,
})

const memberships: readonly PublishedCase[] = [
  caseOf(isIn(['listed']), user('in'), true),
  caseOf(isIn(['listed'], { negate: true }), user('in'), false),
  caseOf(isIn(['listed']), { kind: 'multi', user: { key: 'in' }, org: { key: 'org-key' } }, true),
  caseOf(isIn(['listed']), user('some', { first: true }), true),
  caseOf(isIn(['listed']), user('out', { first: true }), false),
  caseOf(isIn(['listed']), user('some'), false),
  caseOf(isIn(['listed'], { negate: true }), user('some'), true),
  caseOf(isIn(['listed', 'ruled']), user('some', { second: true }), true),
  caseOf(isIn(['nothing']), user('some'), false),
  caseOf(isIn(['of kinds']), ofKind('kind1', 'user-in'), false),
  caseOf(isIn(['of kinds']), ofKind('kind1', 'in-1'), true),
  caseOf(isIn(['of kinds']), user('in-1'), false),
  caseOf(isIn(['of kinds']), ofKind('kind2', 'in-1'), false),
  caseOf(isIn(['of kinds']), ofKind('kind1', 'user-out', { 'kind1-rule': true }), true),
  caseOf(isIn(['of kinds']), ofKind('kind1', 'some', { 'kind1-rule': true }), true),
  caseOf(isIn(['of kinds']), ofKind('kind1', 'out-1', { 'kind1-rule': true }), false),
  caseOf(isIn(['of kinds']), user('out-1', { 'user-rule': true }), true),
  caseOf(isIn(['of kinds']), ofKind('kind1', 'out-2', { 'kind1-rule': true }), true),
  caseOf(isIn(['segment3']), user('unmatching-key', { third: true }), false),
  caseOf(isIn(['segment3']), user('user-key', { third: true }), true),
]

/** Three segments that refer to each other in a chain, and segments that they can refer to. */
const nested = (uses: readonly (string | undefined)[]): readonly SegmentData[] => [
  ...uses.map((key, index) => ({ key: `${index + 1}`, rules: [{ clauses: [isIn([key ?? 'nothing'])] }] })),
  { key: 'always', rules: [{ clauses: [{ attribute: 'key', op: 'in', values: [''], negate: true }] }] },
  { key: 'a', rules: [truth('a')] },
  { key: 'b', rules: [truth('b')] },
  { key: 'both', rules: [{ clauses: [isIn(['a']), isIn(['b'])] }] },
  { key: 'either', rules: [{ clauses: [isIn(['a'])] }, { clauses: [isIn(['b'])] }] },
]

const recursive = (
  name: string,
  segmentKey: string,
  attributes: object,
  uses: readonly string[],
  expected: object,
) => ({
  name: `segments of segments: ${name}`,
  flags: [ruledFlag('f', [isIn([segmentKey])])],
  segments: nested(uses),
  flagKey: 'f',
  context: user('user-key', attributes),
  fallback: false,
  expected: expected as PublishedCase['expected'],
})

export const referenceSegments: readonly PublishedCase[] = [
  ...memberships,
  recursive('one in another', '1', {}, ['always'], matched),
  recursive('both of two', 'both', { a: true, b: true }, [], matched),
  recursive('one where both are required', 'both', { a: false, b: true }, [], unmatched),
  recursive('one of two', 'either', { a: false, b: true }, [], matched),
  recursive('a cycle', '1', {}, ['2', '3', '1'], malformed(false)),
  recursive('a nested cycle', '1', {}, ['2', '3', '2'], malformed(false)),
]
