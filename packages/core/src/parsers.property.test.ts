import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursor } from './operation/cursor-page.ts'
import { ApiError } from './operation/errors.ts'
import { commaList, parse } from './operation/schema.ts'
import { readQuery } from './pipeline/query.ts'
import { readBackUp } from './resources/back-ups/read-back-up.ts'
import { branchRequest } from './resources/code-references/branch-wire.ts'
import { parseSpecifier, statementFaults } from './resources/policy.ts'
import { parseAddress } from './rules/address.ts'
import { parseQueryFilter, parseTermFilter } from './rules/filter/index.ts'
import { formReader } from './rules/form-data/form-reader.ts'
import { jsonFaults } from './rules/json-guard.ts'
import { parsePatch } from './rules/json-patch/parse-patch.ts'
import { parsePointer } from './rules/json-patch/pointer.ts'
import { keyFileReader } from './rules/key-file/key-file.ts'
import { compileTextPattern, parseTextPattern } from './rules/policy/text-pattern.ts'

const utf8 = new TextEncoder()

interface Parser {
  /** Throws nothing but an agreed failure, whatever it is given. */
  readonly read: (text: string) => unknown
  /** What its language is made of, so that chance finds its way into it. */
  readonly tokens: readonly string[]
  /** A text of about n characters that looks hard; by default tokens, over and over. */
  readonly hard?: readonly ((n: number) => string)[]
}

const repeat =
  (unit: string, before = '', after = '') =>
  (n: number) =>
    before + unit.repeat(Math.ceil(n / unit.length)) + after

/** As JSON where it is some. */
function value(text: string): unknown {
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
  // Pieces that end anywhere, also inside of a character.
  for (let at = 0; at < bytes.length; at += 4_093) reader.push(bytes.subarray(at, at + 4_093))
  reader.end()
  return reader.faults
}

const formOf = (text: string) => {
  const reader = formReader('b', 'file')
  const bytes = utf8.encode(text)
  for (let at = 0; at < bytes.length; at += 4_093) reader.push(bytes.subarray(at, at + 4_093))
  return reader.end()
}

const parsers: Readonly<Record<string, Parser>> = {
  'query filters': {
    read: parseQueryFilter,
    tokens: ['tags', ' anyOf ', '[', ']', ',', '|', '(', ')', '"', '\\', 'a', ' equals '],
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
    read: (text) => statementFaults(value(text)),
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
    read: (text) => parsePatch(value(text)),
    tokens: json,
    hard: [(n) => JSON.stringify(Array(Math.ceil(n / 40)).fill({ op: 'add', path: '/a', value: 1 }))],
  },
  'bodies of JSON': { read: (text) => jsonFaults(value(text)), tokens: json, hard: [repeat('{},', '[', '1]')] },
  'code references': {
    read: (text) => parse(branchRequest, value(text)),
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

/** The least of several times of the processor, which what else the machine does can only make longer. ms */
function cost(parser: Parser, text: string, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const begun = process.cpuUsage()
    read(parser, text)
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

describe.each(Object.entries(parsers))('what reads %s', (_, parser) => {
  it('refuses in the agreed way, whatever it is given', () => {
    const words = fc.array(fc.constantFrom(...parser.tokens), { maxLength: 40 }).map((list) => list.join(''))
    fc.assert(
      fc.property(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 200 }), fc.json()), (text) =>
        read(parser, text),
      ),
      { numRuns: 100 },
    )
  })

  it('costs four times as much for four times the text, not sixteen', () => {
    const n = 12_000
    for (const hard of [repeat(parser.tokens.join('')), ...(parser.hard ?? [])]) {
      const [short, long] = [hard(n), hard(4 * n)]
      let ratio = Number.POSITIVE_INFINITY
      // Below a fifth of a millisecond a clock tells nothing, and nobody waits.
      for (let attempt = 0; attempt < 5 && ratio >= 10; attempt++) {
        ratio = cost(parser, long, 3 + attempt) / Math.max(cost(parser, short, 3 + attempt), 0.2)
      }
      expect(ratio, `${short.slice(0, 40)}…`).toBeLessThan(10)
    }
  })
})

it('a back-up that is none is refused in the agreed way, and so is each that was cut or altered', async () => {
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
      throw new Error('it was taken')
    }),
    { numRuns: 300 },
  )
})
