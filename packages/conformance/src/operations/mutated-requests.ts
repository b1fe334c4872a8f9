import type { Operation } from '@halyard/core/operations'
import type { LineRequest } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { requestOf } from './world.ts'

/** Makes a deterministic generator of pseudo-random numbers. */
function dice(seed: string): (sides: number) => number {
  let state = 0
  for (const character of seed) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

type Dice = ReturnType<typeof dice>

/** Values that replace others: of each type, and of each kind that is known to break parsers. */
const strangeValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.1,
  1e308,
  2 ** 53,
  '',
  ' ',
  '*',
  '../..',
  '\0',
  '\ud800',
  '🚀'.repeat(40),
  'x'.repeat(5_000),
  "'; drop table documents; --",
  '${roleAttribute/x}',
  'proj/*:env/*',
  '__proto__',
  'constructor',
  [],
  [[]],
  [null],
  Array.from({ length: 300 }, (_, i) => i),
  {},
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { kind: 'x' },
  { op: 'add', path: '/-', value: 1 },
  nested(200),
]

const strangeHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'if-match': '"1"' },
  { 'if-match': 'W/"x", *' },
  { 'svc-api-version': '99999999' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; domain-model=svc.semanticpatch' },
  { 'content-type': 'application/json; domain-model=' },
  { 'x-request-id': 'a'.repeat(2_000) },
  { accept: 'text/html' },
  { authorization: 'Bearer' },
]

/**
 * Returns invalid variants of an operation's request, the same in each run: a property removed, renamed, duplicated or
 * of another type, a value out of bounds, an unusual query or header.
 */
export function mutatedRequests(operation: Operation, example: Example, count: number): LineRequest[] {
  const roll = dice(operation.id)
  return Array.from({ length: count }, () => {
    const kind = roll(10)
    if (kind === 0) return withHeader(requestOf(operation, example), strangeHeaders[roll(strangeHeaders.length)] ?? {})
    if (kind === 1 || example.body === undefined)
      return requestOf(operation, { ...example, query: queryOf(example, roll) })
    let body: unknown = example.body
    for (let left = 1 + roll(3); left > 0; left--) body = mutated(body, roll)
    return requestOf(operation, { ...example, body })
  })
}

function mutated(value: unknown, roll: Dice): NonNullable<unknown> | null {
  return changed(value, roll) ?? null
}

function changed(value: unknown, roll: Dice): unknown {
  if (typeof value !== 'object' || value === null || roll(4) === 0) return strangeValues[roll(strangeValues.length)]
  if (Array.isArray(value)) return mutatedList(value, roll)
  const entries = Object.entries(value)
  if (entries.length === 0) return { unknown: strangeValues[roll(strangeValues.length)] }
  const at = roll(entries.length)
  const [name, member] = entries[at] as [string, unknown]
  const others = entries.filter((_, i) => i !== at)
  switch (roll(6)) {
    case 0:
      return Object.fromEntries(others)
    case 1:
      return Object.fromEntries([...others, [`${name}${name}`, member]])
    case 2:
      return Object.fromEntries([...entries, ['unknown', member]])
    default:
      return Object.fromEntries([...others, [name, mutated(member, roll)]])
  }
}

function mutatedList(list: readonly unknown[], roll: Dice): unknown {
  const at = roll(Math.max(list.length, 1))
  switch (roll(5)) {
    case 0:
      return list.toSpliced(at, 1)
    case 1:
      return [...list, ...list]
    case 2:
      return [...list, strangeValues[roll(strangeValues.length)]]
    default:
      return list.length === 0 ? [strangeValues[roll(strangeValues.length)]] : list.with(at, mutated(list[at], roll))
  }
}

function queryOf({ query = {} }: Example, roll: Dice): Record<string, string> {
  const names = [...Object.keys(query), 'limit', 'offset', 'sort', 'filter', 'expand', 'query']
  const value = strangeValues[roll(strangeValues.length)]
  const text = typeof value === 'string' ? value.replaceAll('\ud800', '') : JSON.stringify(value)
  return { ...query, [names[roll(names.length)] as string]: text.slice(0, 2_000) }
}

function withHeader(request: LineRequest, header: Readonly<Record<string, string>>): LineRequest {
  return { ...request, headers: { ...request.headers, ...header } }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = { a: [value] }
  return value
}
