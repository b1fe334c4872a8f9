import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPointer, parsePointer } from './index.ts'

describe('parsePointer', () => {
  // Examples of RFC 6901, section 5.
  it.each([
    ['', []],
    ['/foo', ['foo']],
    ['/foo/0', ['foo', '0']],
    ['/', ['']],
    ['/a~1b', ['a/b']],
    ['/c%d', ['c%d']],
    ['/e^f', ['e^f']],
    ['/g|h', ['g|h']],
    ['/i\\j', ['i\\j']],
    ['/k"l', ['k"l']],
    ['/ ', [' ']],
    ['/m~0n', ['m~n']],
  ])('parses %j into tokens', (text, tokens) => {
    expect(parsePointer(text)).toEqual({ text, tokens })
  })

  it('unescapes once', () => {
    expect(parsePointer('/~01/~00/~10')).toEqual({ text: '/~01/~00/~10', tokens: ['~1', '~0', '/0'] })
  })

  it.each([
    ['a number', 7, 'must be a JSON Pointer'],
    ['nothing', undefined, 'must be a JSON Pointer'],
    ['a text without a slash', 'a/b', 'must be empty or begin with "/"'],
    ['a bare tilde', '/a~', 'must use "~" only in "~0" and "~1"'],
    ['an unknown escape', '/a~2b', 'must use "~" only in "~0" and "~1"'],
    ['NUL', '/a\0', 'must not contain NUL'],
    ['__proto__', '/__proto__/x', 'must not contain the name "__proto__"'],
    ['constructor', '/a/constructor', 'must not contain the name "constructor"'],
    ['prototype', '/prototype', 'must not contain the name "prototype"'],
    ['65 tokens', '/a'.repeat(65), 'must not have more than 64 tokens'],
  ])('rejects %s', (_, text, reason) => {
    expect(parsePointer(text)).toBe(reason)
  })

  it('accepts 64 tokens', () => {
    expect(parsePointer('/a'.repeat(64))).toHaveProperty('tokens.length', 64)
  })

  it('parses the output of formatPointer to the same tokens', () => {
    const token = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', 'é', '😀', ' ', '-') })
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual({ text: formatPointer(tokens), tokens })
      }),
    )
  })
})
