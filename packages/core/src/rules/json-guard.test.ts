import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateJson } from './json-guard.ts'

const nested = (levels: number, innermost: unknown = 1) => {
  let value = innermost
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

describe('validateJson', () => {
  it.each([null, true, 0, '', 'text', [], {}, [[], {}], { a: [{ b: null }], 'ü/~ 😀': 'ü 😀' }])(
    'accepts %j',
    (body) => {
      expect(validateJson(body)).toEqual([])
    },
  )

  it.each([
    ['NUL in a text', '{"a":["x","\\u0000"]}', '/a/1', 'must not contain NUL'],
    ['NUL in a property name', '{"a\\u0000":1}', '/a\0', 'must not contain NUL'],
    ['a text that is the whole body', '"\\u0000"', '', 'must not contain NUL'],
    ['an unpaired high surrogate', '["\\ud83d!"]', '/0', 'must be well-formed Unicode'],
    ['an unpaired low surrogate', '{"a":"\\ude00"}', '/a', 'must be well-formed Unicode'],
    ['surrogates in the wrong order', '["\\ude00\\ud83d"]', '/0', 'must be well-formed Unicode'],
    ['an unpaired surrogate in a property name', '{"\\ud83d":1}', '/\ud83d', 'must be well-formed Unicode'],
    ['__proto__', '{"a":{"__proto__":{"b":1}}}', '/a/__proto__', 'must not be used as a name'],
    ['constructor', '[{"constructor":1}]', '/0/constructor', 'must not be used as a name'],
    ['prototype', '{"prototype":null}', '/prototype', 'must not be used as a name'],
    ['a name that the pointer must escape', '{"a/b":{"m~n":"\\u0000"}}', '/a~1b/m~0n', 'must not contain NUL'],
  ])('rejects %s', (_, text, attribute, reason) => {
    expect(validateJson(JSON.parse(text))).toEqual([{ attribute, reason }])
  })

  it('continues inside of an invalid property', () => {
    expect(
      validateJson(JSON.parse('{"__proto__":{"a":"\\u0000"},"b":"\\u0000"}')).map((error) => error.attribute),
    ).toEqual(['/__proto__', '/__proto__/a', '/b'])
  })

  it('limits the depth', () => {
    expect(validateJson(nested(64))).toEqual([])
    expect(validateJson(nested(65))).toEqual([
      { attribute: expect.stringMatching(/^(\/(a|0)){64}$/), reason: 'must not be nested deeper than 64 levels' },
    ])
    expect(validateJson([[], 1, [2]], { depth: 1 }).map((error) => error.attribute)).toEqual(['/0', '/2'])
  })

  it('handles 10,000 levels without exhausting the stack', () => {
    expect(validateJson(nested(10_000))).toHaveLength(1)
    expect(validateJson(nested(10_000, '\0'), { depth: 10_000 })).toHaveLength(1)
  })

  it('limits the number of values, including containers', () => {
    const body = { a: [1, 2], b: { c: 3 } }
    expect(validateJson(body, { nodes: 6 })).toEqual([])
    expect(validateJson(body, { nodes: 5 })).toEqual([{ attribute: '', reason: 'must not hold more than 5 values' }])
  })

  it('stops after 20 errors', () => {
    expect(validateJson(Array.from({ length: 100 }, () => '\0'))).toHaveLength(20)
    expect(validateJson(Array.from({ length: 100 }, () => ['\0']))).toHaveLength(20)
  })

  it('truncates long names in its result', () => {
    const [error] = validateJson({ ['x'.repeat(1_000_000)]: '\0' })
    expect(error!.attribute.length).toBeLessThan(100)
  })

  it('returns exactly the one error in a body', () => {
    const clean = fc.jsonValue({ maxDepth: 4 }).filter((value) => validateJson(value).length === 0)
    fc.assert(
      fc.property(clean, clean, fc.constantFrom('\0', '\ud800', 'a\udc00'), (before, after, error) => {
        expect(validateJson([before, { x: error }, after]).map(({ attribute }) => attribute)).toEqual(['/1/x'])
      }),
    )
  })
})
