import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyFileHeading, keyFileLines, keyFileReader } from './key-file.ts'

const utf8 = new TextEncoder()

function read(file: string | Uint8Array, sizes: readonly number[] = [1_000_000], maxKeys = 1_000) {
  const bytes = typeof file === 'string' ? utf8.encode(file) : file
  const reader = keyFileReader(maxKeys)
  const keys: string[] = []
  for (let offset = 0, pieceIndex = 0; offset < bytes.length; pieceIndex++) {
    const size = sizes[pieceIndex % sizes.length] as number
    keys.push(...reader.push(bytes.subarray(offset, offset + size)))
    offset += size
  }
  keys.push(...reader.end())
  return { keys, errors: reader.errors, count: reader.count, full: reader.isStopped }
}

const key = fc.string({
  unit: fc.constantFrom('a', 'B', '7', ',', '"', ' ', 'ü', '🚀', '-', '\t', "'"),
  minLength: 1,
  maxLength: 12,
})
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

describe('keyFileReader', () => {
  it('reads the keys that were written, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 30 }), sizes, fc.boolean(), (keys, pieceSizes, withCarriageReturns) => {
        const file = keyFileHeading + keyFileLines(keys)
        const result = read(withCarriageReturns ? file.replaceAll('\n', '\r\n') : file, pieceSizes)
        expect(result).toEqual({ keys, errors: [], count: keys.length, full: false })
      }),
    )
  })

  it.each([
    ['no heading', 'a\nb\n', ['a', 'b']],
    ['no line break at its end', 'a\nb', ['a', 'b']],
    ['a byte order mark', '\ufeffa\nb\n', ['a', 'b']],
    ['a byte order mark and a heading', '\ufeffuserKey\r\na\r\n', ['a']],
    ['a heading in capitals', 'CONTEXT_KEY\na\n', ['a']],
    ['empty lines', '\n\na\n\r\n\nb\n\n', ['a', 'b']],
    ['a key equal to a heading after the first line', 'key\nkey\n', ['key']],
    ['a quoted heading, which counts as a key', '"key"\na\n', ['key', 'a']],
    ['repeated keys', 'a\nb\na\n', ['a', 'b', 'a']],
    ['spaces, which belong to keys', ' a\nb \n', [' a', 'b ']],
    ['nothing', '', []],
  ])('accepts a file with %s', (_, file, keys) => {
    expect(read(file)).toMatchObject({ keys, errors: [] })
  })
})

describe('invalid keys', () => {
  it.each([
    ['a,b', 'must be one field, quoted if it contains a comma or a quote'],
    ['"a" b', 'must be one field, quoted if it contains a comma or a quote'],
    ['a"b', 'must be one field, quoted if it contains a comma or a quote'],
    ['"a', 'must be one field, quoted if it contains a comma or a quote'],
    ['""', 'must not be empty'],
    ['k'.repeat(257), 'must have at most 256 characters'],
    ['a\0b', 'must not contain NUL'],
  ])('reports the line of an invalid key: %j', (line, reason) => {
    const result = read(`key\nsound\n${line}\nlast\n`, [5])
    expect(result.errors).toEqual([{ attribute: 'file.3', reason }])
    expect(result.keys).toEqual(['sound', 'last'])
  })

  it('stops after 20 errors', () => {
    const result = read('a,b\n'.repeat(50))
    expect(result.errors).toHaveLength(20)
    expect(result.full).toBe(true)
  })

  it('stops after the maximum number of keys', () => {
    expect(read('a\nb\nc\n', [1], 3).errors).toEqual([])
    const result = read('a\nb\nc\nd\ne\n', [1], 3)
    expect(result.errors).toEqual([{ attribute: 'file', reason: 'must contain at most 3 keys' }])
    expect(result.keys).toEqual(['a', 'b', 'c'])
    expect(result.full).toBe(true)
  })

  it.each([
    ['an invalid byte', [0x61, 0x0a, 0xff, 0x0a]],
    ['an incomplete character', [0x61, 0x0a, 0xc3]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('is %s', (_, bytes) => {
    expect(read(Uint8Array.from(bytes), [1]).errors).toEqual([{ attribute: 'file', reason: 'must be UTF-8' }])
  })

  it('rejects a line that is too long without buffering more of it', () => {
    const reader = keyFileReader(10)
    reader.push(utf8.encode('x'.repeat(2_048)))
    expect(reader.isStopped).toBe(false)
    reader.push(utf8.encode('x'))
    expect(reader.errors).toEqual([{ attribute: 'file', reason: 'must hold lines of at most 2048 characters' }])
  })
})
