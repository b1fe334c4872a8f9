import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { applyPatch, parsePatch } from './index.ts'

/** A case of json-patch-tests, which implementations of RFC 6902 in all languages share. */
interface Case {
  readonly comment?: string
  readonly doc: unknown
  readonly patch: readonly unknown[]
  /** The patched document. If neither this property nor `error` is present, the patch only has to succeed. */
  readonly expected?: unknown
  /** Reason why the patch must not apply. */
  readonly error?: string
}

const releasedCases: Case[] = ['tests.json', 'spec_tests.json'].flatMap((file) =>
  createRequire(import.meta.url)(`json-patch-test-suite/${file}`),
)

/** Cases that were added to the suite after its last release, as the copies in cJSON and json-c have them. */
const laterCases: readonly Case[] = [
  { doc: {}, patch: [{ op: 'add', path: '', value: [] }], expected: [] },
  { doc: [], patch: [{ op: 'add', path: '', value: {} }], expected: {} },
  { doc: [], patch: [{ op: 'add', path: '/-', value: 'hi' }], expected: ['hi'] },
  { doc: { bar: 'baz' }, patch: [{ op: 'replace', path: '/foo/bar', value: false }], error: 'no parent' },
  { doc: {}, patch: [{ op: 'add', value: 'bar' }], error: 'no path' },
  { doc: {}, patch: [{ op: 'add', path: null, value: 'bar' }], error: 'null is not a path' },
  { doc: {}, patch: [{ op: 'add', path: 'foo', value: 'bar' }], error: 'no slash' },
  { doc: { foo: 1 }, patch: [{ op: 'copy', from: '/bar', path: '/foo' }], error: 'nothing to copy' },
  { doc: { foo: 1 }, patch: [{ op: 'move', from: '/bar', path: '/foo' }], error: 'nothing to move' },
  { doc: ['foo', 'bar'], patch: [{ op: 'test', path: '/00', value: 'foo' }], error: 'leading zeros' },
  { doc: ['foo', 'bar'], patch: [{ op: 'test', path: '/01', value: 'bar' }], error: 'leading zeros' },
  { doc: { foo: 'bar' }, patch: [{ op: 'remove', path: '/baz' }], error: 'no such property' },
  { doc: { foo: 'bar' }, patch: [{ op: 'remove', path: '/missing1/missing2' }], error: 'no such property' },
  { doc: ['foo', 'bar'], patch: [{ op: 'remove', path: '/2' }], error: 'no such element' },
  { doc: { foo: 'bar' }, patch: [{ op: 'add', path: '/FOO', value: 'BAR' }], expected: { foo: 'bar', FOO: 'BAR' } },
]

/** Cases that implementations have added to the suite: cJSON, fast-json-patch and json-c. */
const otherCases: readonly Case[] = [
  {
    doc: { foo: { bar: 1 } },
    patch: [{ op: 'add', path: '/foo/bar/baz', value: '5' }],
    error: 'a line without an object',
  },
  {
    doc: { 'foo/': { 'bar/': 1, baz: 1 } },
    patch: [{ op: 'move', from: '/foo~1/bar~1', path: '/bar' }],
    expected: { bar: 1, 'foo/': { baz: 1 } },
  },
  { doc: { foo: 1 }, patch: [{ op: 'test', path: '', value: { foo: 2 } }], error: 'another document' },
]

// A JSON parser returns only the last of two properties with the same name, so this case cannot be tested.
const duplicateOps = 'duplicate ops'

// Cases that the suite leaves to each implementation hold here as well.
const cases = [...releasedCases.filter(({ comment }) => comment !== duplicateOps), ...laterCases, ...otherCases]

it('all public cases are present', () => {
  expect([releasedCases.length, laterCases.length, otherCases.length, cases.length]).toEqual([95, 15, 3, 112])
})

it.each(cases)(
  'applyPatch handles the public case as specified: $comment $doc $patch',
  ({ doc, patch, expected, error }) => {
    const parsed = parsePatch(patch)
    const outcome = parsed.ok ? applyPatch(doc, parsed.operations) : { ok: false as const }
    expect(outcome.ok).toBe(error === undefined)
    if (outcome.ok && expected !== undefined) expect(outcome.value).toStrictEqual(expected)
  },
)
