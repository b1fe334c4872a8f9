import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFaults } from './json-guard.ts'

const nested = (levels: number, innermost: unknown = 1) => {
  let value = innermost
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

describe('jsonFaults', () => {
  it.each([null, true, 0, '', 'text', [], {}, [[], {}], { a: [{ b: null }], 'ü/~ 😀': 'ü 😀' }])(
    'finds nothing in %j',
    (body) => {
      expect(jsonFaults(body)).toEqual([])
    },
  )

  it.each([
    ['NUL in a text', '{"a":["x","\\u0000"]}', '/a/1', 'must not contain NUL'],
    ['NUL in a name', '{"a\\u0000":1}', '/a\0', 'must not contain NUL'],
    ['a text that is the whole body', '"\\u0000"', '', 'must not contain NUL'],
    ['a high surrogate alone', '["\\ud83d!"]', '/0', 'must be well-formed Unicode'],
    ['a low surrogate alone', '{"a":"\\ude00"}', '/a', 'must be well-formed Unicode'],
    ['surrogates the wrong way round', '["\\ude00\\ud83d"]', '/0', 'must be well-formed Unicode'],
    ['a lone surrogate in a name', '{"\\ud83d":1}', '/\ud83d', 'must be well-formed Unicode'],
    ['__proto__', '{"a":{"__proto__":{"b":1}}}', '/a/__proto__', 'must not be used as a name'],
    ['constructor', '[{"constructor":1}]', '/0/constructor', 'must not be used as a name'],
    ['prototype', '{"prototype":null}', '/prototype', 'must not be used as a name'],
    ['a name to be escaped in the pointer', '{"a/b":{"m~n":"\\u0000"}}', '/a~1b/m~0n', 'must not contain NUL'],
  ])('finds %s', (_, text, attribute, reason) => {
    expect(jsonFaults(JSON.parse(text))).toEqual([{ attribute, reason }])
  })

  it('looks on inside of what it found', () => {
    expect(
      jsonFaults(JSON.parse('{"__proto__":{"a":"\\u0000"},"b":"\\u0000"}')).map((fault) => fault.attribute),
    ).toEqual(['/__proto__', '/__proto__/a', '/b'])
  })

  it('takes as many levels as allowed, and not one more', () => {
    expect(jsonFaults(nested(64))).toEqual([])
    expect(jsonFaults(nested(65))).toEqual([
      { attribute: expect.stringMatching(/^(\/(a|0)){64}$/), reason: 'must not be nested deeper than 64 levels' },
    ])
    expect(jsonFaults([[], 1, [2]], { depth: 1 }).map((fault) => fault.attribute)).toEqual(['/0', '/2'])
  })

  it('survives 10,000 levels, also when they are allowed', () => {
    expect(jsonFaults(nested(10_000))).toHaveLength(1)
    expect(jsonFaults(nested(10_000, '\0'), { depth: 10_000 })).toHaveLength(1)
  })

  it('takes as many values as allowed, containers included', () => {
    const body = { a: [1, 2], b: { c: 3 } }
    expect(jsonFaults(body, { nodes: 6 })).toEqual([])
    expect(jsonFaults(body, { nodes: 5 })).toEqual([{ attribute: '', reason: 'must not hold more than 5 values' }])
  })

  it('stops after 20 faults', () => {
    expect(jsonFaults(Array.from({ length: 100 }, () => '\0'))).toHaveLength(20)
    expect(jsonFaults(Array.from({ length: 100 }, () => ['\0']))).toHaveLength(20)
  })

  it('cuts long names in its answer', () => {
    const [fault] = jsonFaults({ ['x'.repeat(1_000_000)]: '\0' })
    expect(fault!.attribute.length).toBeLessThan(100)
  })

  it('finds exactly the one fault that was put in', () => {
    const clean = fc.jsonValue({ maxDepth: 4 }).filter((value) => jsonFaults(value).length === 0)
    fc.assert(
      fc.property(clean, clean, fc.constantFrom('\0', '\ud800', 'a\udc00'), (before, after, fault) => {
        expect(jsonFaults([before, { x: fault }, after]).map(({ attribute }) => attribute)).toEqual(['/1/x'])
      }),
    )
  })
})
