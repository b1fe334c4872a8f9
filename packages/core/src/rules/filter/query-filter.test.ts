import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeFilterError } from './cursor.ts'
import { parseQueryFilter, printQueryFilter, type QueryFilter, queryOperators } from './query-filter.ts'

const read = (text: string): QueryFilter => {
  const parsed = parseQueryFilter(text)
  if (!parsed.ok) throw new Error(describeFilterError(parsed.error))
  return parsed.filter
}

const errorOf = (text: string) => {
  const parsed = parseQueryFilter(text)
  return parsed.ok ? 'none' : describeFilterError(parsed.error)
}

/** Converts a filter to nested lists without columns. */
const toLists = (filter: QueryFilter): unknown => {
  if (filter.kind === 'and') return ['and', ...filter.all.map(toLists)]
  if (filter.kind === 'or') return ['or', ...filter.any.map(toLists)]
  return [filter.field, filter.operator, ...filter.values]
}

const a = ['a', 'equals', '1']
const b = ['b', 'equals', '2']
const c = ['c', 'equals', '3']
const [ta, tb, tc] = ['a equals 1', 'b equals 2', 'c equals 3']

describe('parseQueryFilter', () => {
  it.each<[string, unknown]>([
    ['query equals beta', ['query', 'equals', 'beta']],
    ['query equals "two words"', ['query', 'equals', 'two words']],
    ['query equals "a \\"b\\" \\\\ ,|()"', ['query', 'equals', 'a "b" \\ ,|()']],
    ['tags anyOf [a]', ['tags', 'anyOf', 'a']],
    ['tags anyOf["a","b" , c ]', ['tags', 'anyOf', 'a', 'b', 'c']],
    ['tags contains [a, b]', ['tags', 'contains', 'a', 'b']],
    ['user.name contains a', ['user.name', 'contains', 'a']],
    ['user.country-code_2 notEquals "de"', ['user.country-code_2', 'notEquals', 'de']],
    ['key startsWith ann', ['key', 'startsWith', 'ann']],
    ['external exists false', ['external', 'exists', 'false']],
    [`${ta},${tb},${tc}`, ['and', a, b, c]],
    [` ${ta} | ${tb} | ${tc} `, ['or', a, b, c]],
    [`${ta},${tb}|${tc}`, ['or', ['and', a, b], c]],
    [`${ta}|${tb},${tc}`, ['or', a, ['and', b, c]]],
    [`(${ta}|${tb}),${tc}`, ['and', ['or', a, b], c]],
    [`${ta},( ${tb} | ${tc} )`, ['and', a, ['or', b, c]]],
    [`((${ta}))`, a],
    [`((${ta},${tb}),${tc})`, ['and', ['and', a, b], c]],
  ])('parses %s', (text, filter) => {
    expect(toLists(read(text))).toEqual(filter)
  })

  it('returns the columns of field, operator and value', () => {
    expect(read(' tags  anyOf [ "a"]')).toMatchObject({ columns: { field: 2, operator: 8, value: 14 } })
  })

  it.each([
    ['', 'column 1: must be the name of a field or "("'],
    ['query', 'column 6: must be one of equals, notEquals, anyOf, contains, startsWith, exists'],
    ['query like x', 'column 7: must be one of equals, notEquals, anyOf, contains, startsWith, exists'],
    ['query equals', 'column 13: must be a text, quoted or of letters, digits, ".", "_", "-"'],
    ['query equals "open', 'column 14: must be a text, quoted or of letters, digits, ".", "_", "-"'],
    ['tags anyOf a', 'column 12: must be "["'],
    ['tags anyOf [a', 'column 14: must be "," or "]"'],
    ['tags anyOf []', 'column 13: must be a text, quoted or of letters, digits, ".", "_", "-"'],
    ['query equals a b', 'column 16: must be ",", "|" or the end'],
    ['query equals a,', 'column 16: must be the name of a field or "("'],
    ['query equals a |', 'column 17: must be the name of a field or "("'],
    ['(query equals a', 'column 16: must be ",", "|" or ")"'],
    ['query equals a)', 'column 15: must be ",", "|" or the end'],
    ['()', 'column 2: must be the name of a field or "("'],
    [`${'('.repeat(21)}a`, 'column 21: must be nested at most 20 levels deep'],
    ['query equals "a\nb"', 'column 16: must be a printable character'],
  ])('reports the position of the error in %j', (text, error) => {
    expect(errorOf(text)).toBe(error)
  })

  it('limits the length and the nesting of a filter', () => {
    expect(errorOf(`query equals ${'a'.repeat(1_987)}`)).toBe('none')
    expect(errorOf(`query equals ${'a'.repeat(1_988)}`)).toMatch(/^column 2001: must be the end/)
    expect(errorOf(`${'('.repeat(20)}a equals b${')'.repeat(20)}`)).toBe('none')
  })

  const columns = { field: 0, operator: 0, value: 0 }
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const comparison: fc.Arbitrary<QueryFilter> = fc
    .record({
      field: fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,8}$/),
      operator: fc.constantFrom(...queryOperators),
      values: fc.array(text, { minLength: 1, maxLength: 3 }),
    })
    .map(({ values, ...rest }) => ({
      kind: 'comparison',
      ...rest,
      values: rest.operator === 'anyOf' || rest.operator === 'contains' ? values : values.slice(0, 1),
      columns,
    }))
  const { filter } = fc.letrec<{ filter: QueryFilter }>((tie) => {
    const several = fc.array(tie('filter'), { minLength: 2, maxLength: 3 })
    return {
      filter: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        comparison,
        several.map((all) => ({ kind: 'and' as const, all })),
        several.map((any) => ({ kind: 'or' as const, any })),
      ),
    }
  })

  it('parses a printed filter to the same filter', () => {
    fc.assert(
      fc.property(filter, (original) => {
        const printed = printQueryFilter(original)
        fc.pre(printed.length <= 2_000)
        expect(toLists(read(printed))).toEqual(toLists(original))
      }),
    )
  })

  /** Evaluates a printed filter by text replacement: innermost parentheses first, then commas, then bars. */
  function evaluateText(printed: string, truth: (term: string) => boolean): boolean {
    let text = printed
    for (let inner = /\(([^()]*)\)/.exec(text); inner; inner = /\(([^()]*)\)/.exec(text)) {
      text = text.replace(inner[0], evaluateFlat(inner[1] as string, truth) ? 'yes equals 1' : 'no equals 1')
    }
    return evaluateFlat(text, truth)
  }
  const evaluateFlat = (text: string, truth: (term: string) => boolean) =>
    text.split('|').some((part) => part.split(',').every((term) => term === 'yes equals 1' || truth(term)))

  const evaluateFilter = (filter: QueryFilter, truth: (term: string) => boolean): boolean => {
    if (filter.kind === 'and') return filter.all.every((operand) => evaluateFilter(operand, truth))
    if (filter.kind === 'or') return filter.any.some((operand) => evaluateFilter(operand, truth))
    return truth(printQueryFilter(filter))
  }

  it('gives parentheses precedence over commas, and commas over bars', () => {
    const term = fc.constantFrom('a equals 1', 'b equals 1', 'c equals 1', 'd equals 1')
    const joinedWith = (inner: fc.Arbitrary<string>) =>
      fc
        .array(fc.tuple(inner, fc.constantFrom(',', '|')), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.map(([part, separator], index) => (index === 0 ? part : separator + part)).join(''))
    const grouped = fc.oneof(
      term,
      joinedWith(term).map((inner) => `(${inner})`),
    )
    fc.assert(
      fc.property(joinedWith(grouped), fc.subarray(['a', 'b', 'c', 'd']), (printed, trueTerms) => {
        const truth = (operand: string) => trueTerms.includes(operand.slice(0, 1))
        expect(evaluateFilter(read(printed), truth)).toBe(evaluateText(printed, truth))
      }),
    )
  })

  it('never throws, and reports a column inside the text or directly after it', () => {
    const pieces = fc.array(fc.constantFrom('tags', ' ', ',', '|', '(', ')', '[', ']', '"', '\\', 'equals ', 'anyOf '))
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_100 }),
      pieces.map((all) => all.join('')),
    )
    fc.assert(
      fc.property(anything, (random) => {
        const parsed = parseQueryFilter(random)
        if (parsed.ok) return
        expect(parsed.error.column).toBeGreaterThanOrEqual(1)
        expect(parsed.error.column).toBeLessThanOrEqual(random.length + 1)
      }),
    )
  })
})
