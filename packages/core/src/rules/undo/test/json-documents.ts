import fc from 'fast-check'

/**
 * Names of properties: common ones, and those that are easily mistaken for indexes, escapes or inherited properties.
 */
export const propertyName = fc.constantFrom('a', 'b', 'c', '0', '1', '-', 'a/b', 'm~n', '~1', 'toString')

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 'x', ''),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(propertyName, tie('json'), { maxKeys: 4 }),
  ),
}))

/** Any JSON object. */
export const anyObject = fc.dictionary(propertyName, json, { maxKeys: 5 }) as fc.Arbitrary<Record<string, unknown>>

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(0, 1, 2, 'x'),
    fc.dictionary(propertyName, tie('tree'), { maxKeys: 4 }),
  ),
}))

/** A JSON object without lists. */
export const anyTree = fc.dictionary(propertyName, tree, { maxKeys: 5 }) as fc.Arbitrary<Record<string, unknown>>
