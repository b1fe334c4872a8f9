import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from './operation/errors.ts'
import { cursor } from './operation/pages/cursor-page.ts'
import { commaList, parse } from './operation/schema.ts'
import { readQuery } from './pipeline/decode.ts'
import { readBackUp } from './resources/back-ups/read-back-up.ts'
import { branchRequest } from './resources/code-references/branch-schema.ts'
import { parseSpecifier, validateStatements } from './resources/policy.ts'
import { parseAddress } from './rules/address.ts'
import { parseQueryFilter, parseTermFilter } from './rules/filter/index.ts'
import { formReader } from './rules/form-data/form-reader.ts'
import { validateJson } from './rules/json-guard.ts'
import { parsePatch } from './rules/json-patch/parse-patch.ts'
import { parsePointer } from './rules/json-patch/pointer.ts'
import { keyFileReader } from './rules/key-file/key-file.ts'
import { compileTextPattern, parseTextPattern } from './rules/policy/text-pattern.ts'

const utf8 = new TextEncoder()

interface Parser {
  /** Throws only an ApiError below status 500, for any input. */
  readonly read: (text: string) => unknown
  /** Tokens of its language, so that random texts are often nearly valid. */
  readonly tokens: readonly string[]
  /** Makes texts of about n characters that may be slow to parse. Default: texts of repeated tokens. */
  readonly hard?: readonly ((n: number) => string)[]
}

const repeat =
  (unit: string, before = '', after = '') =>
  (n: number) =>
    before + unit.repeat(Math.ceil(n / unit.length)) + after

/** Parses JSON, or returns the text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const json = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"op":"add"',
  '"path":"/a~1b"',
  '"value":',
  'null',
  '1',
  '"__proto__"',
  '[]',
]

const fileOf = (text: string) => {
  const reader = keyFileReader(1_000_000)
  const bytes = utf8.encode(text)
  // The pieces can end anywhere, also inside a character.
  for (let offset = 0; offset < bytes.length; offset += 4_093) reader.push(bytes.subarray(offset, offset + 4_093))
  reader.end()
  return reader.errors
}

const formOf = (text: string) => {
  const reader = formReader('b', 'file')
  const bytes = utf8.encode(text)
  for (let offset = 0; offset < bytes.length; offset += 4_093) reader.push(bytes.subarray(offset, offset + 4_093))
  return reader.end()
}

const parsers: Readonly<Record<string, Parser>> = {
  'query filters': {
    read: parseQueryFilter,
    tokens: ['tags', ' anyOf ', '[', ']', ',', '|', '(', ')', '"', '\\', 'a', ' equals ', ' contains ', 'a.b-'],
    hard: [repeat('('), repeat('"\\'), repeat('a'), repeat(' ')],
  },
  'term filters': { read: parseTermFilter, tokens: ['query:', 'a', '+', ',', '[', ']', '{', '}', '"', '\\', ':', ' '] },
  'resource specifiers': {
    read: parseSpecifier,
    tokens: ['proj/', '*', ':', ';', '{', '}', ',', 'view:', 'a', '${roleAttribute/x}', '%3A', 'env/'],
    hard: [
      repeat(';view:'),
      repeat('{', 'proj/*;'),
      repeat('*', 'proj/'),
      repeat('a,', 'proj/*;'),
      repeat('%3A', 'proj/'),
    ],
  },
  addresses: { read: parseAddress, tokens: ['proj/', 'a', ':', 'env/', '%', '%3A', ';', '/'] },
  patterns: {
    read(text) {
      const pattern = parseTextPattern(text)
      if (typeof pattern === 'string') return pattern
      return compileTextPattern(pattern, { x: ['a', 'b*'] })('a'.repeat(256))
    },
    tokens: ['*', 'a', 'b', '${roleAttribute/x}', '%2A', '${', '%'],
    hard: [repeat('*a')],
  },
  policies: {
    read: (text) => validateStatements(jsonOrText(text)),
    tokens: [...json, '{"effect":"allow","actions":["*"],"resources":["proj/*"]}', '"effect"'],
    hard: [
      (n) => JSON.stringify(Array(Math.ceil(n / 60)).fill({ effect: 'allow', actions: ['*'], resources: ['proj/*'] })),
    ],
  },
  'JSON Pointers': {
    read: parsePointer,
    tokens: ['/', '~', '~0', '~1', 'a', '\0', '__proto__', '-'],
    hard: [repeat('~1', '/'), repeat('/')],
  },
  'JSON Patches': {
    read: (text) => parsePatch(jsonOrText(text)),
    tokens: json,
    hard: [(n) => JSON.stringify(Array(Math.ceil(n / 40)).fill({ op: 'add', path: '/a', value: 1 }))],
  },
  'JSON bodies': { read: (text) => validateJson(jsonOrText(text)), tokens: json, hard: [repeat('{},', '[', '1]')] },
  'code references': {
    read: (text) => parse(branchRequest, jsonOrText(text)),
    tokens: [...json, '{"name":"main","head":"a","syncTime":1,"references":[', '{"path":"a","hunks":[]}', ']}'],
    hard: [repeat('{"path":"a","hunks":[]},', '{"name":"main","head":"a","syncTime":1,"references":[', '{}]}')],
  },
  'files of keys': {
    read: fileOf,
    tokens: ['key', '\n', '\r\n', '"', '""', ',', 'a', '\ufeff', '\0', 'é'],
    hard: [repeat('"'), repeat('""\n')],
  },
  forms: {
    read: formOf,
    tokens: ['--b', '\r\n', '--b--', 'Content-Disposition: form-data; name="file"', '; filename="a"', ': ', '-', 'a'],
    hard: [
      repeat('\r\n--'),
      repeat('; ', '--b\r\nContent-Disposition: form-data'),
      repeat('a', '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'),
    ],
  },
  queries: {
    read: readQuery,
    tokens: ['a', '=', '&', '%', '%00', '%ff', '+', '__proto__'],
    hard: [repeat('a=b&'), repeat('%41')],
  },
  'lists in queries': { read: (text) => parse(commaList(), text), tokens: ['a', ',', ' '] },
  cursors: { read: (text) => parse(cursor(), text), tokens: ['1', '_', 'a', '\0', '\n'] },
}

function read({ read }: Parser, text: string): void {
  try {
    read(text)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
  }
}

/** Returns the minimum CPU time of several runs in ms, because other load can only increase it. */
function cost(parser: Parser, text: string, times: number): number {
  let minimum = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage()
    read(parser, text)
    const { user, system } = process.cpuUsage(before)
    minimum = Math.min(minimum, (user + system) / 1_000)
  }
  return minimum
}

describe.each(Object.entries(parsers))('the parser of %s', (_, parser) => {
  it('throws only errors below status 500 for any input', () => {
    const words = fc.array(fc.constantFrom(...parser.tokens), { maxLength: 40 }).map((list) => list.join(''))
    fc.assert(
      fc.property(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 200 }), fc.json()), (text) =>
        read(parser, text),
      ),
      { numRuns: 100 },
    )
  })

  it('takes time linear in the length of the input', () => {
    for (const hard of [repeat(parser.tokens.join('')), ...(parser.hard ?? [])]) {
      let ratio = Number.POSITIVE_INFINITY
      // At some lengths, garbage collection increases one of the ratios. Quadratic time would increase each of them.
      for (let n = 12_000; n <= 96_000 && ratio >= 10; n *= 2) {
        // Times below a millisecond are irrelevant, because a parser that needs quadratic time needs many milliseconds.
        ratio = cost(parser, hard(4 * n), 5) / Math.max(cost(parser, hard(n), 5), 1)
      }
      expect(ratio, `${hard(40).slice(0, 40)}…`).toBeLessThan(10)
    }
  })
})

it('an invalid, truncated or altered back-up is rejected with status 400', async () => {
  const line = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('{"format":"halyard","version":1,"secrets":false}', '{"kind":"document"}', '{"kind":"end"}'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (lines, ended) => {
      try {
        for await (const _ of readBackUp([lines.join('\n') + (ended ? '\n' : '')]));
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect((error as ApiError).status).toBe(400)
        return
      }
      throw new Error('the back-up was accepted')
    }),
    { numRuns: 300 },
  )
})
