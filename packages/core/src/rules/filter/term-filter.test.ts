import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeFilterError } from './cursor.ts'
import { type PrintableTerm, parseTermFilter, printTermFilter, type TermFilter } from './term-filter.ts'

const read = (text: string): TermFilter => {
  const parsed = parseTermFilter(text)
  if (!parsed.ok) throw new Error(describeFilterError(parsed.error))
  return parsed.filter
}

/** Converts terms to short lists: field with a list of texts, or with an object. */
const toLists = (filter: TermFilter) =>
  filter.map(({ field, value }) => [
    field,
    value.kind === 'texts' ? value.texts.map(({ text }) => text) : value.properties,
  ])

const errorOf = (text: string) => {
  const parsed = parseTermFilter(text)
  return parsed.ok ? 'none' : describeFilterError(parsed.error)
}

describe('parseTermFilter', () => {
  it.each<[string, unknown]>([
    ['tags:web', [['tags', ['web']]]],
    ['tags:web+mobile', [['tags', ['web', 'mobile']]]],
    ['tags:web mobile', [['tags', ['web', 'mobile']]]],
    ['tags:web  +  mobile', [['tags', ['web', 'mobile']]]],
    ['  tags: web', [['tags', ['web']]]],
    [
      'tags:web , type:temporary ',
      [
        ['tags', ['web']],
        ['type', ['temporary']],
      ],
    ],
    ['query:"a, b + c"', [['query', ['a, b + c']]]],
    ['query:"say \\"hi\\" \\\\ bye"', [['query', ['say "hi" \\ bye']]]],
    ['query:""', [['query', ['']]]],
    ['query:http://a.b/c?d', [['query', ['http://a.b/c?d']]]],
    ['codeReferences.min:3', [['codeReferences.min', ['3']]]],
    ['creationDate:{"before":5}', [['creationDate', { before: 5 }]]],
    [
      'creationDate:{"after":1, "before":5},tags:a',
      [
        ['creationDate', { after: 1, before: 5 }],
        ['tags', ['a']],
      ],
    ],
    ['x:{"a":"}],\\"{","b":[{"c":1}]}', [['x', { a: '}],"{', b: [{ c: 1 }] }]]],
  ])('parses %s', (text, terms) => {
    expect(toLists(read(text))).toEqual(terms)
  })

  it('returns the columns of fields and values', () => {
    expect(read('tags:a+"b", creationDate:{"before":1}')).toEqual([
      {
        field: 'tags',
        column: 1,
        value: {
          kind: 'texts',
          texts: [
            { text: 'a', column: 6 },
            { text: 'b', column: 8 },
          ],
        },
      },
      { field: 'creationDate', column: 13, value: { kind: 'object', column: 26, members: { before: 1 } } },
    ])
  })

  it.each([
    ['', 'column 1: must be the name of a field'],
    [',', 'column 1: must be the name of a field'],
    ['tags:a,', 'column 8: must be the name of a field'],
    ['tags:a,,type:b', 'column 8: must be the name of a field'],
    ['1:a', 'column 1: must be the name of a field'],
    ['tags', 'column 5: must be ":"'],
    ['tags a', 'column 5: must be ":"'],
    ['tags:', 'column 6: must be a value'],
    ['tags:,a:b', 'column 6: must be a value'],
    ['tags:a+', 'column 8: must be a value'],
    ['tags:a+,b:c', 'column 8: must be a value'],
    ['query:"open', 'column 7: must be a value'],
    ['query:a"b"', 'column 8: must be "," or the end'],
    ['date:{"a":1', 'column 6: must be a JSON object'],
    ['date:{a:1}', 'column 6: must be a JSON object'],
    ['date:{"a":1}}', 'column 13: must be "," or the end'],
    ['query:a\u0000b', 'column 8: must be a printable character'],
    ['query:a\ud800', 'column 8: must be a printable character'],
    [`x:${'{"a":'.repeat(21)}`, 'column 103: must be nested at most 20 levels deep'],
  ])('reports the position of the error in %j', (text, error) => {
    expect(errorOf(text)).toBe(error)
  })

  it('limits the length of a filter', () => {
    expect(errorOf(`query:${'a'.repeat(1_994)}`)).toBe('none')
    expect(errorOf(`query:${'a'.repeat(1_995)}`)).toBe(
      'column 2001: must be the end: a filter has at most 2000 characters',
    )
  })

  const field = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._]{0,10}$/)
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  const texts = fc
    .array(
      text.map((text) => ({ text })),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) => ({ kind: 'texts', texts: all }) as const)
  const object = fc
    .dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
    .map((properties) => ({ kind: 'object', properties: JSON.parse(JSON.stringify(properties)) }) as const)
  const terms: fc.Arbitrary<PrintableTerm[]> = fc.array(fc.record({ field, value: fc.oneof(texts, object) }), {
    minLength: 1,
    maxLength: 4,
  })

  it('parses a printed filter to the same filter', () => {
    fc.assert(
      fc.property(terms, (original) => {
        const printed = printTermFilter(original)
        fc.pre(printed.length <= 2_000)
        const expected = original.map(({ field: name, value }) => [
          name,
          value.kind === 'texts' ? value.texts.map((text) => text.text) : value.properties,
        ])
        expect(toLists(read(printed))).toEqual(expected)
      }),
    )
  })

  it('never throws, and reports a column inside the text or directly after it', () => {
    const pieces = fc.array(fc.constantFrom('tags', ':', ',', '+', ' ', '"', '\\', '{', '}', '[', '"a":1', 'web', '1'))
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_100 }),
      pieces.map((all) => all.join('')),
    )
    fc.assert(
      fc.property(anything, (random) => {
        const parsed = parseTermFilter(random)
        if (parsed.ok) return
        expect(parsed.error.column).toBeGreaterThanOrEqual(1)
        expect(parsed.error.column).toBeLessThanOrEqual(random.length + 1)
      }),
    )
  })
})
