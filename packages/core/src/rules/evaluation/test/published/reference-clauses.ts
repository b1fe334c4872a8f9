import type { ClauseData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'
import { clauseCase, malformed, type PublishedCase } from './published-case.ts'

/*
 * Cases derived from launchdarkly/sdk-test-harness, data/data-files/server-side-eval: attribute-references,
 * builtin-attrs, clause-kind-matching, negation-and-iteration and errors-bad-attribute-reference.
 */

const clause = (attribute: string, values: readonly unknown[], overrides: Partial<ClauseData> = {}): ClauseData => ({
  attribute,
  op: 'in',
  values,
  ...overrides,
})
const reference = (attribute: string, values: readonly unknown[], overrides: Partial<ClauseData> = {}) =>
  clause(attribute, values, { contextKind: 'user', ...overrides })
const user = (attributes: object = {}, key = 'x'): EvaluationContext => ({ kind: 'user', key, ...attributes })
const negate = true

const references: readonly PublishedCase[] = [
  clauseCase('a name without a slash', user({ attr1: 'right' }), reference('attr1', ['right']), true),
  clauseCase('a name behind a slash', user({ attr1: 'right' }), reference('/attr1', ['right']), true),
  clauseCase('a slash inside of a name', user({ 'attr/a': 'right' }), reference('attr/a', ['right']), true),
  clauseCase('an escaped slash', user({ 'attr/a': 'right' }), reference('/attr~1a', ['right']), true),
  clauseCase('a tilde inside of a name', user({ 'attr~a': 'right' }), reference('attr~a', ['right']), true),
  clauseCase('an escaped tilde', user({ 'attr~a': 'right' }), reference('/attr~0a', ['right']), true),
  clauseCase('a name as it is, without a kind', user({ '/attr/a': 'right' }), clause('/attr/a', ['right']), true),
  clauseCase('a property', user({ attr1: { prop1: 'right' } }), reference('/attr1/prop1', ['right']), true),
  clauseCase(
    'an escaped property',
    user({ attr1: { 'prop/a': 'right' } }),
    reference('/attr1/prop~1a', ['right']),
    true,
  ),
  clauseCase(
    'a property of a property',
    user({ attr1: { prop1: { prop2: 'right' }, prop2: 'wrong' } }),
    reference('/attr1/prop1/prop2', ['right']),
    true,
  ),
  clauseCase('a property of digits', user({ attr1: { 2: 'right' } }), reference('/attr1/2', ['right']), true),
  clauseCase(
    'no property, negated',
    user({ attr1: { prop1: 'x' } }),
    reference('/attr1/prop99', ['x'], { negate }),
    false,
  ),
  clauseCase(
    'a property of text, negated',
    user({ attr1: 'right' }),
    reference('/attr1/prop1', ['x'], { negate }),
    false,
  ),
  clauseCase('an index of a list', user({ attr1: ['no', 'no', 'x'] }), reference('/attr1/2', ['x']), false),
]

const builtIn: readonly PublishedCase[] = [
  clauseCase('the key', user({}, 'a'), clause('key', ['a']), true),
  clauseCase('another key', user({}, 'a'), clause('key', ['b']), false),
  clauseCase('the name', user({ name: 'b' }, 'a'), clause('name', ['b']), true),
  clauseCase('another name', user({ name: 'b' }, 'a'), clause('name', ['c']), false),
  clauseCase('no name, negated', user({}, 'a'), clause('name', [''], { negate }), false),
  clauseCase('not anonymous', user({}, 'a'), clause('anonymous', [false]), true),
  clauseCase('anonymous', user({ anonymous: true }, 'a'), clause('anonymous', [true]), true),
]

const several = (...kinds: readonly (readonly [string, string])[]): EvaluationContext => ({
  kind: 'multi',
  ...Object.fromEntries(kinds.map(([kind, key]) => [kind, { key }])),
})
const userAndOther = several(['user', 'a'], ['other', 'b'])
const kinds = (values: readonly string[], overrides: Partial<ClauseData> = {}) => clause('kind', values, overrides)
const beginning = clause('kind', ['^[uo]'], { op: 'matches' })

const ofKinds: readonly PublishedCase[] = [
  clauseCase('the user of several', userAndOther, clause('key', ['a']), true),
  clauseCase('not the user of several', userAndOther, clause('key', ['b']), false),
  clauseCase('another of several', userAndOther, clause('key', ['b'], { contextKind: 'other' }), true),
  clauseCase('not another of several', userAndOther, clause('key', ['a'], { contextKind: 'other' }), false),
  clauseCase('the kind', user({}, 'a'), kinds(['user']), true),
  clauseCase('the kind by a pattern', user({}, 'a'), beginning, true),
  clauseCase('not the kind by a pattern', { kind: 'company', key: 'a' }, beginning, false),
  clauseCase('one of several kinds by a pattern', userAndOther, beginning, true),
  clauseCase('none of several kinds by a pattern', several(['company', 'a'], ['individual', 'b']), beginning, false),
  clauseCase('not the kind', user({}, 'a'), kinds(['org']), false),
  clauseCase('one of several kinds', several(['user', 'a'], ['cat', 'b']), kinds(['user']), true),
  clauseCase('none of several kinds', several(['user', 'a'], ['cat', 'b']), kinds(['dog']), false),
  clauseCase('negated, not the kind', user({}, 'a'), kinds(['cat'], { negate }), true),
  clauseCase('negated, one of several kinds', several(['dog', 'b']), kinds(['dog'], { negate }), false),
]

const listed = user({ attr1: ['b', 'c'] }, 'a')

const negated: readonly PublishedCase[] = [
  clauseCase('negated, another value', user({}, 'a'), clause('key', ['b'], { negate }), true),
  clauseCase('negated, the value', user({}, 'a'), clause('key', ['a'], { negate }), false),
  clauseCase('one of several values', user({}, 'a'), clause('key', ['a', 'b', 'c']), true),
  clauseCase('a list with the value', listed, clause('attr1', ['c']), true),
  clauseCase('negated, a list with the value', listed, clause('attr1', ['c'], { negate }), false),
  clauseCase('a list with one of several values', listed, clause('attr1', ['c', 'd']), true),
  clauseCase('negated, a list with one of several values', listed, clause('attr1', ['c', 'd'], { negate }), false),
]

/** A rule that always matches comes after the rule with the invalid attribute, so that the error is visible. */
const noReference = (name: string, invalidClause: ClauseData, attributes: object = {}): PublishedCase => ({
  name: `no reference: ${name}`,
  flags: [
    {
      key: 'f',
      on: true,
      variations: ['off', 'fallthrough', 'malformed', 'next'],
      offVariation: 0,
      fallthrough: { variation: 1 },
      rules: [
        { id: 'malformed', variation: 2, clauses: [invalidClause] },
        { id: 'always', variation: 3, clauses: [clause('key', [''], { negate })] },
      ],
    },
  ],
  flagKey: 'f',
  context: user(attributes, 'user-key'),
  fallback: 'default',
  expected: malformed('default'),
})

export const referenceClauses: readonly PublishedCase[] = [
  ...references,
  ...builtIn,
  ...ofKinds,
  ...negated,
  noReference('no attribute at all', { op: 'in', values: [''] }),
  noReference('an empty part', reference('///', [''])),
  noReference('a tilde before a letter', reference('/a~b', [true]), { 'a~b': true }),
  noReference('a tilde at the end', reference('/a~', [true]), { 'a~': true }),
]
