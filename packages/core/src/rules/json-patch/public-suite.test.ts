import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { applyPatch, parsePatch } from './index.ts'

/** A case of json-patch-tests, which implementations of RFC 6902 in all languages share. */
interface Case {
  readonly comment?: string
  readonly doc: unknown
  readonly patch: readonly unknown[]
  /** What comes of it. Where neither this nor `error` is there, the patch only has to apply. */
  readonly expected?: unknown
  /** Why it must not apply. */
  readonly error?: string
  readonly disabled?: boolean
}

const released: Case[] = ['tests.json', 'spec_tests.json'].flatMap((file) =>
  createRequire(import.meta.url)(`json-patch-test-suite/${file}`),
)

/** Those that the suite has got since its last release. */
const later: readonly Case[] = [
  { doc: {}, patch: [{ op: 'add', path: '', value: [] }], expected: [] },
  { doc: [], patch: [{ op: 'add', path: '', value: {} }], expected: {} },
  { doc: [], patch: [{ op: 'add', path: '/-', value: 'hi' }], expected: ['hi'] },
  { doc: { bar: 'baz' }, patch: [{ op: 'replace', path: '/foo/bar', value: false }], error: 'no parent' },
  { doc: ['foo', 'bar'], patch: [{ op: 'test', path: '/00', value: 'foo' }], error: 'leading zeros' },
  { doc: ['foo', 'bar'], patch: [{ op: 'test', path: '/01', value: 'bar' }], error: 'leading zeros' },
  { doc: { foo: 'bar' }, patch: [{ op: 'remove', path: '/baz' }], error: 'no such member' },
  { doc: ['foo', 'bar'], patch: [{ op: 'remove', path: '/2' }], error: 'no such item' },
  { doc: { foo: 'bar' }, patch: [{ op: 'add', path: '/FOO', value: 'BAR' }], expected: { foo: 'bar', FOO: 'BAR' } },
]

const cases = [...released, ...later].filter(({ disabled }) => !disabled)

it('has all of the public cases', () => {
  expect(cases.length).toBe(100)
})

it.each(cases)('$comment $doc $patch', ({ doc, patch, expected, error }) => {
  const parsed = parsePatch(patch)
  const outcome = parsed.ok ? applyPatch(doc, parsed.operations) : { ok: false as const }
  expect(outcome.ok).toBe(error === undefined)
  if (outcome.ok && expected !== undefined) expect(outcome.value).toStrictEqual(expected)
})
