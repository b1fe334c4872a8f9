import fc from 'fast-check'
import fjp, { type Operation as FjpOperation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { applyPatch, parsePatch } from './index.ts'

/**
 * A small set of names, so that random pointers often match; it contains everything that can be confused with pointers
 * and indexes.
 */
const name = fc.constantFrom('a', 'b', '', '0', '1', '-', 'a/b', 'm~n', '~1', 'toString')
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 1.5, '', 'x', '0')
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value
const container = json.filter((value) => typeof value === 'object' && value !== null)

const token = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('a', 'b', '', '0', '1', '2', '-', 'a~1b', 'm~0n') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('~01', '00', '01', '-1', '1e0', 'toString', 'length'),
  },
)
const pointer = fc.array(token, { maxLength: 4 }).map((tokens) => tokens.map((text) => `/${text}`).join(''))

/** Returns all pointers into a document, so that most operations succeed. */
function pointersInto(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const descendants = Object.entries(value).flatMap(([key, child]) =>
    pointersInto(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [path, ...(Array.isArray(value) ? [`${path}/-`] : []), ...descendants]
}

const documentAndPatch = container.chain((document) => {
  const path = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...pointersInto(document)) },
    { weight: 1, arbitrary: pointer },
  )
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: json }),
    fc.record({ op: fc.constant('remove'), path }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
  )
  return fc.tuple(fc.constant(document), fc.array(operation, { minLength: 1, maxLength: 4 }))
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value))

function applyWithHalyard(document: unknown, patch: unknown) {
  const parsed = parsePatch(patch)
  return parsed.ok ? applyPatch(deepFreeze(document), parsed.operations) : parsed
}

function applyWithFastJsonPatch(document: unknown, patch: readonly AnyOperation[]) {
  try {
    const steps = (result: unknown, operation: AnyOperation) =>
      stepsOf(result, operation).reduce((value, step) => fjp.applyOperation(value, step, true).newDocument, result)
    return { ok: true, value: clone(patch).reduce(steps, clone(document)) }
  } catch {
    return { ok: false }
  }
}

/**
 * Splits `move` and `copy` into steps as RFC 6902 defines them, sections 4.4 and 4.5: fast-json-patch looks up the
 * target of a `move` before the value is removed, and does not check the `add` that follows. A `test` of `from` comes
 * first, because fast-json-patch would otherwise look up `from` inside a text.
 */
function stepsOf(document: unknown, { op, from, path, value }: AnyOperation): FjpOperation[] {
  if (from === undefined) return [{ op, path, value } as FjpOperation]
  const sourceValue = clone(fjp.getValueByPointer(document, from))
  const steps: FjpOperation[] = [
    { op: 'test', path: from, value: sourceValue },
    { op: 'add', path, value: sourceValue },
  ]
  return op === 'move' ? steps.toSpliced(1, 0, { op: 'remove', path: from }) : steps
}

/**
 * Operations that fast-json-patch accepts although RFC 6902 or RFC 6901 rejects them. In all other cases,
 * fast-json-patch and this implementation must agree.
 */
const knownDeviations: Record<string, (operation: AnyOperation) => boolean> = {
  'the whole document is removed, which leaves null': ({ op, path }) => op === 'remove' && path === '',
  'a value is moved into itself': ({ op, from, path }) => op === 'move' && path.startsWith(`${from}/`),
  'a document that is neither an object nor an array is treated as one': ({ path, value }) =>
    path === '' && Object(value) !== value,
  'inherited properties are found': (operation) => hasToken(operation, /^(toString|length)$/),
  'array indexes have other spellings': (operation) => hasToken(operation, /^(|0\d+|-1|1e0)$/),
}

interface AnyOperation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

function hasToken({ path, from = '' }: AnyOperation, pattern: RegExp): boolean {
  return [path, from].some((text) =>
    text
      .split('/')
      .slice(1)
      .some((part) => pattern.test(part)),
  )
}

const outcomeOf = (result: { ok: boolean; value?: unknown }) =>
  result.ok ? { ok: true, value: result.value } : { ok: false }

const deviates = (operation: AnyOperation) => Object.values(knownDeviations).some((applies) => applies(operation))

describe('applyPatch', () => {
  it('agrees with fast-json-patch on random patches', () => {
    const counts = { accepted: 0, rejected: 0 }
    fc.assert(
      fc.property(documentAndPatch, ([document, patch]) => {
        const expected = applyWithFastJsonPatch(document, patch)
        const actual = applyWithHalyard(document, patch)
        if (actual.ok || !patch.some(deviates)) expect(outcomeOf(actual)).toEqual(expected)
        counts[actual.ok ? 'accepted' : 'rejected']++
      }),
      { numRuns: 4_000 },
    )
    expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(500)
  })

  it('turns one document into another by a patch of their differences', () => {
    fc.assert(
      fc.property(container, container, (before, after) => {
        fc.pre(Array.isArray(before) === Array.isArray(after))
        const patch = fjp.compare(before as object, after as object, true)
        expect(applyWithHalyard(before, patch)).toEqual({ ok: true, value: after })
      }),
      { numRuns: 500 },
    )
  })

  it('does not modify the document or the patch', () => {
    fc.assert(
      fc.property(documentAndPatch, ([document, patch]) => {
        const before = clone([document, patch])
        const parsed = parsePatch(patch)
        if (parsed.ok) applyPatch(document, parsed.operations)
        expect([document, patch]).toEqual(before)
      }),
      { numRuns: 1_000 },
    )
  })
})
