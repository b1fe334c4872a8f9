import type { Attribute, Contract, OperationContract } from './contract.ts'

/** A difference between two contracts. */
export interface Difference {
  /** Id of the operation. */
  readonly operation: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Path in the operation, e.g. `query.limit`; undefined for the operation itself. */
  readonly at: string | undefined
  /** Description of the change. */
  readonly what: string
  /** True when a client of the earlier contract may fail with the later one. */
  readonly breaking: boolean
}

/**
 * Compares what was promised with what is.
 *
 * What is asked may only get wider: an optional attribute more, a limit less. What is answered may only get narrower: an
 * attribute more, a possible value less. Everything else is breaking.
 *
 * @returns the differences in the order of the later contract, what was removed first.
 *
 * @example
 * ```ts
 * import { contractOf, differences, openApiDocument } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const { operations } = await createTestEngine()
 * const contract = (of: typeof operations) => contractOf(openApiDocument(of, { version: '1.0.0' }))
 * const later = operations.filter(({ id }) => id !== 'getTeam')
 * const [removed] = differences(contract(operations), contract(later))
 * console.log(removed?.operation, removed?.change, removed?.breaking) // getTeam removed true
 * ```
 */
export function differences(before: Contract, after: Contract): Difference[] {
  const removed = [...before].filter(([id]) => !after.has(id))
  return [
    ...removed.map(([id, { method, path }]) => difference(id, 'removed', undefined, `${method} ${path}`, true)),
    ...[...after].flatMap(([id, later]) => {
      const earlier = before.get(id)
      if (!earlier) return [difference(id, 'added', undefined, `${later.method} ${later.path}`, false)]
      return betweenOperations(id, earlier, later)
    }),
  ]
}

function betweenOperations(id: string, before: OperationContract, after: OperationContract): Difference[] {
  const place = (one: OperationContract) => `${one.method} ${one.path}`
  const found: Difference[] = []
  const changed = (what: string, breaking: boolean) => found.push(difference(id, 'changed', undefined, what, breaking))
  if (place(before) !== place(after)) changed(`${place(before)} became ${place(after)}`, true)
  if (before.beta !== after.beta) changed(after.beta ? 'is in beta now' : 'is no longer in beta', after.beta)
  for (const type of lacking(before.mediaTypes, after.mediaTypes)) changed(`no longer accepts a body of type ${type}`, true)
  for (const type of lacking(after.mediaTypes, before.mediaTypes)) changed(`accepts a body of type ${type}`, false)
  for (const status of lacking(before.statuses, after.statuses))
    changed(`no longer responds with status ${status}`, /^2/.test(status))
  for (const status of lacking(after.statuses, before.statuses)) changed(`can respond with status ${status}`, false)
  return [
    ...found,
    ...betweenAttributes(id, before.asked, after.asked, 'asked'),
    ...betweenAttributes(id, before.answered, after.answered, 'answered'),
  ]
}

type Side = 'asked' | 'answered'
type Attributes = ReadonlyMap<string, Attribute>

function betweenAttributes(id: string, before: Attributes, after: Attributes, side: Side): Difference[] {
  const removed = topmost([...before.keys()].filter((at) => !after.has(at)))
  const added = topmost([...after.keys()].filter((at) => !before.has(at)))
  const kept = [...after].filter(([at]) => before.has(at))
  return [
    ...removed.map((at) => difference(id, 'removed', at, describe(before.get(at) as Attribute), true)),
    ...added.map((at) => {
      const attribute = after.get(at) as Attribute
      // A client that does not know an option need not send it, but may receive it.
      const breaking = at.endsWith('>') ? side === 'answered' : side === 'asked' && attribute.required
      return difference(id, 'added', at, describe(attribute), breaking)
    }),
    ...kept.flatMap(([at, later]) =>
      changesOf(before.get(at) as Attribute, later, side).map(({ what, breaking }) =>
        difference(id, 'changed', at, what, breaking),
      ),
    ),
  ]
}

/** Returns the paths without those below another of them, because removing an object removes all its properties. */
function topmost(places: readonly string[]): string[] {
  const all = new Set(places)
  return places.filter((at) => {
    for (let end = at.length - 1; end > 0; end--)
      if (/[.[<]/.test(at.charAt(end)) && all.has(at.slice(0, end))) return false
    return true
  })
}

interface Change {
  readonly what: string
  readonly breaking: boolean
}

function changesOf(before: Attribute, after: Attribute, side: Side): Change[] {
  const asked = side === 'asked'
  const changes: Change[] = []
  /** A wider value breaks its reader, a narrower one its writer. */
  const add = (what: string, wider: boolean) => changes.push({ what, breaking: wider !== asked })
  if (before.required !== after.required) add(after.required ? 'is required now' : 'is optional now', !after.required)
  const types = (one: Attribute) => one.types.join(' or ')
  if (types(before) !== types(after)) {
    const wider = after.types.includes('any') || lacking(before.types, after.types).length === 0
    const narrower = before.types.includes('any') || lacking(after.types, before.types).length === 0
    // A type that is replaced becomes both wider and narrower, and breaks either side.
    changes.push({ what: `${types(before)} became ${types(after)}`, breaking: asked ? !wider : !narrower })
  }
  changes.push(...changedValues(before.values, after.values, asked))
  if (!asked) return changes
  for (const name of new Set([...Object.keys(before.limits), ...Object.keys(after.limits)])) {
    const [from, to] = [before.limits[name], after.limits[name]]
    if (from !== to) add(`${name} ${from ?? 'none'} became ${to ?? 'none'}`, isLooser(name, from, to))
  }
  if (before.preset !== after.preset) {
    changes.push({ what: `default ${before.preset ?? 'none'} became ${after.preset ?? 'none'}`, breaking: true })
  }
  return changes
}

type Values = readonly string[] | undefined

function changedValues(before: Values, after: Values, asked: boolean): Change[] {
  if (!before && !after) return []
  if (!before) return [{ what: `must be one of ${after?.join(', ')}`, breaking: asked }]
  if (!after) return [{ what: 'may be any value', breaking: !asked }]
  return [
    ...lacking(before, after).map((value) => ({ what: `value ${value} was removed`, breaking: asked })),
    ...lacking(after, before).map((value) => ({ what: `value ${value} was added`, breaking: !asked })),
  ]
}

type Limit = string | number | undefined

function isLooser(name: string, from: Limit, to: Limit): boolean {
  if (to === undefined) return true
  if (from === undefined || name === 'pattern') return false
  return name.startsWith('min') ? to < from : to > from
}

function describe({ types, required }: Attribute): string {
  return `${required ? 'required' : 'optional'}, ${types.join(' or ')}`
}

/** Returns the elements of the first list that the second does not contain. */
const lacking = (these: readonly string[], those: readonly string[]) => these.filter((one) => !those.includes(one))

function difference(
  operation: string,
  change: Difference['change'],
  at: string | undefined,
  what: string,
  breaking: boolean,
): Difference {
  return { operation, change, at, what, breaking }
}
