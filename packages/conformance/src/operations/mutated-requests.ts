import type { Operation } from '@halyard/core/operations'
import type { TransportRequest } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { requestOf } from './operation-fixture.ts'

/** Makes a deterministic generator of pseudo-random integers from 0 to below a limit. */
export function createRandom(seed: string): (limit: number) => number {
  let state = 0
  for (const character of seed) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

type Random = ReturnType<typeof createRandom>

/** Values that replace other values: one of each type, and values that are known to break parsers. */
const unusualValues: readonly unknown[] = [
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

const unusualHeaders: readonly Readonly<Record<string, string>>[] = [
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
export function mutatedRequests(operation: Operation, example: Example, count: number): TransportRequest[] {
  const random = createRandom(operation.id)
  return Array.from({ length: count }, () => {
    const kind = random(10)
    if (kind === 0)
      return withHeader(requestOf(operation, example), unusualHeaders[random(unusualHeaders.length)] ?? {})
    if (kind === 1 || example.body === undefined)
      return requestOf(operation, { ...example, query: queryOf(example, random) })
    let body: unknown = example.body
    for (let remaining = 1 + random(3); remaining > 0; remaining--) body = mutate(body, random)
    return requestOf(operation, { ...example, body })
  })
}

function mutate(value: unknown, random: Random): NonNullable<unknown> | null {
  return mutateOrDrop(value, random) ?? null
}

function mutateOrDrop(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random(4) === 0) return unusualValues[random(unusualValues.length)]
  if (Array.isArray(value)) return mutateList(value, random)
  const entries = Object.entries(value)
  if (entries.length === 0) return { unknown: unusualValues[random(unusualValues.length)] }
  const index = random(entries.length)
  const [name, propertyValue] = entries[index] as [string, unknown]
  const others = entries.filter((_, i) => i !== index)
  switch (random(6)) {
    case 0:
      return Object.fromEntries(others)
    case 1:
      return Object.fromEntries([...others, [`${name}${name}`, propertyValue]])
    case 2:
      return Object.fromEntries([...entries, ['unknown', propertyValue]])
    default:
      return Object.fromEntries([...others, [name, mutate(propertyValue, random)]])
  }
}

function mutateList(list: readonly unknown[], random: Random): unknown {
  const index = random(Math.max(list.length, 1))
  switch (random(5)) {
    case 0:
      return list.toSpliced(index, 1)
    case 1:
      return [...list, ...list]
    case 2:
      return [...list, unusualValues[random(unusualValues.length)]]
    default:
      return list.length === 0
        ? [unusualValues[random(unusualValues.length)]]
        : list.with(index, mutate(list[index], random))
  }
}

function queryOf({ query = {} }: Example, random: Random): Record<string, string> {
  const names = [...Object.keys(query), 'limit', 'offset', 'sort', 'filter', 'expand', 'query']
  const value = unusualValues[random(unusualValues.length)]
  const text = typeof value === 'string' ? value.replaceAll('\ud800', '') : JSON.stringify(value)
  return { ...query, [names[random(names.length)] as string]: text.slice(0, 2_000) }
}

function withHeader(request: TransportRequest, header: Readonly<Record<string, string>>): TransportRequest {
  return { ...request, headers: { ...request.headers, ...header } }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = { a: [value] }
  return value
}
