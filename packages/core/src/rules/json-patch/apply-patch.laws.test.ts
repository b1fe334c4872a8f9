import fc from 'fast-check'
import fjp, { type Operation as FjpOperation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { applyPatch, parsePatch } from './index.ts'

/** Few names, so that random pointers meet something; all that pointers and indexes could be mistaken for. */
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

const token = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b', '', '0', '1', '2', '-', 'a~1b', 'm~0n') }, {
  weight: 1,
  arbitrary: fc.constantFrom('~01', '00', '01', '-1', '1e0', 'toString', 'length'),
})
const pointer = fc.array(token, { maxLength: 4 }).map((tokens) => tokens.map((text) => `/${text}`).join(''))

/** All pointers into a document, so that most operations succeed. */
function pointersInto(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const below = Object.entries(value).flatMap(([key, child]) =>
    pointersInto(child, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [at, ...(Array.isArray(value) ? [`${at}/-`] : []), ...below]
}

const documentAndPatch = container.chain((document) => {
  const path = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pointersInto(document)) }, { weight: 1, arbitrary: pointer })
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

function ours(document: unknown, patch: unknown) {
  const parsed = parsePatch(patch)
  return parsed.ok ? applyPatch(deepFreeze(document), parsed.operations) : parsed
}

function theirs(document: unknown, patch: FjpOperation[]) {
  try {
    return { ok: true, value: fjp.applyPatch(clone(document), clone(patch), true).newDocument as unknown }
  } catch {
    return { ok: false }
  }
}

describe('applyPatch', () => {
  it('agrees with fast-json-patch on random patches', () => {
    fc.assert(
      fc.property(documentAndPatch, ([document, patch]) => {
        const expected = theirs(document, patch as FjpOperation[])
        const actual = ours(document, patch)
        if (!actual.ok && !expected.ok) return
        expect(actual).toEqual(expected)
      }),
      { numRuns: 5_000 },
    )
  })

  it('turns one document into another by the differences between them', () => {
    fc.assert(
      fc.property(container, container, (before, after) => {
        fc.pre(Array.isArray(before) === Array.isArray(after))
        const patch = fjp.compare(before as object, after as object, true)
        expect(ours(before, patch)).toEqual({ ok: true, value: after })
      }),
    )
  })
})
