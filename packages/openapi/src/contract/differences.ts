import type { Attribute, Contract, OperationContract } from './contract.ts'

/** A difference between two contracts. */
export interface Difference {
  /** Id of the operation. */
  readonly operation: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Path in the operation, e.g. `query.limit`; undefined for the operation itself. */
  readonly path: string | undefined
  /** Description of the change. */
  readonly description: string
  /** True when a client of the earlier contract may fail with the later one. */
  readonly breaking: boolean
}

/**
 * Compares an earlier contract with a later one.
 *
 * A request may only become less strict: an added optional attribute, a looser limit. A response may only become more
 * specific: an added attribute, a removed value. Every other difference is breaking.
 *
 * @returns the differences in the order of the later contract, removed operations first.
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
    ...removed.map(([id, { method, path }]) =>
      difference(id, { change: 'removed', path: undefined }, `${method} ${path}`, true),
    ),
    ...[...after].flatMap(([id, later]) => {
      const earlier = before.get(id)
      if (!earlier)
        return [difference(id, { change: 'added', path: undefined }, `${later.method} ${later.path}`, false)]
      return compareOperations(id, earlier, later)
    }),
  ]
}

function compareOperations(id: string, before: OperationContract, after: OperationContract): Difference[] {
  const endpointOf = (contract: OperationContract) => `${contract.method} ${contract.path}`
  const changes: Difference[] = []
  const changed = (description: string, breaking: boolean) =>
    changes.push(difference(id, { change: 'changed', path: undefined }, description, breaking))
  if (endpointOf(before) !== endpointOf(after)) changed(`${endpointOf(before)} became ${endpointOf(after)}`, true)
  if (before.beta !== after.beta) changed(after.beta ? 'is in beta now' : 'is no longer in beta', after.beta)
  for (const type of missingFrom(before.mediaTypes, after.mediaTypes))
    changed(`no longer accepts a body of type ${type}`, true)
  for (const type of missingFrom(after.mediaTypes, before.mediaTypes)) changed(`accepts a body of type ${type}`, false)
  for (const status of missingFrom(before.statuses, after.statuses))
    changed(`no longer responds with status ${status}`, /^2/.test(status))
  for (const status of missingFrom(after.statuses, before.statuses)) changed(`can respond with status ${status}`, false)
  return [
    ...changes,
    ...compareAttributes(id, { before: before.request, after: after.request }, 'request'),
    ...compareAttributes(id, { before: before.response, after: after.response }, 'response'),
  ]
}

type Side = 'request' | 'response'
type Attributes = ReadonlyMap<string, Attribute>

/** The attributes of a schema before and after a change. */
interface AttributesChange {
  readonly before: Attributes
  readonly after: Attributes
}

function compareAttributes(id: string, { before, after }: AttributesChange, side: Side): Difference[] {
  const removed = topmost([...before.keys()].filter((path) => !after.has(path)))
  const added = topmost([...after.keys()].filter((path) => !before.has(path)))
  const common = [...after].filter(([path]) => before.has(path))
  return [
    ...removed.map((path) =>
      difference(id, { change: 'removed', path }, describe(before.get(path) as Attribute), true),
    ),
    ...added.map((path) => {
      const attribute = after.get(path) as Attribute
      // A client that does not know an option does not send it, but may receive it.
      const breaking = path.endsWith('>') ? side === 'response' : side === 'request' && attribute.required
      return difference(id, { change: 'added', path }, describe(attribute), breaking)
    }),
    ...common.flatMap(([path, later]) =>
      changesOf(before.get(path) as Attribute, later, side).map(({ description, breaking }) =>
        difference(id, { change: 'changed', path }, description, breaking),
      ),
    ),
  ]
}

/**
 * Returns the paths without paths that lie below another path of the list, because removing an object removes all its
 * properties.
 */
function topmost(paths: readonly string[]): string[] {
  const allPaths = new Set(paths)
  return paths.filter((path) => {
    for (let end = path.length - 1; end > 0; end--)
      if (/[.[<]/.test(path.charAt(end)) && allPaths.has(path.slice(0, end))) return false
    return true
  })
}

interface Change {
  readonly description: string
  readonly breaking: boolean
}

function changesOf(before: Attribute, after: Attribute, side: Side): Change[] {
  const isRequest = side === 'request'
  const changes: Change[] = []
  /** A wider type breaks clients that read the value; a narrower type breaks clients that send it. */
  const add = (description: string, wider: boolean) => changes.push({ description, breaking: wider !== isRequest })
  if (before.required !== after.required) add(after.required ? 'is required now' : 'is optional now', !after.required)
  const types = (attribute: Attribute) => attribute.types.join(' or ')
  if (types(before) !== types(after)) {
    const wider = after.types.includes('any') || missingFrom(before.types, after.types).length === 0
    const narrower = before.types.includes('any') || missingFrom(after.types, before.types).length === 0
    // A type that is replaced becomes both wider and narrower, and breaks both.
    changes.push({ description: `${types(before)} became ${types(after)}`, breaking: isRequest ? !wider : !narrower })
  }
  changes.push(...changedValues(before.values, after.values, isRequest))
  if (!isRequest) return changes
  for (const name of new Set([...Object.keys(before.limits), ...Object.keys(after.limits)])) {
    const [from, to] = [before.limits[name], after.limits[name]]
    if (from !== to) add(`${name} ${from ?? 'none'} became ${to ?? 'none'}`, isLooser(name, from, to))
  }
  if (before.defaultJson !== after.defaultJson) {
    changes.push({
      description: `default ${before.defaultJson ?? 'none'} became ${after.defaultJson ?? 'none'}`,
      breaking: true,
    })
  }
  return changes
}

type Values = readonly string[] | undefined

function changedValues(before: Values, after: Values, isRequest: boolean): Change[] {
  if (!before && !after) return []
  if (!before) return [{ description: `must be one of ${after?.join(', ')}`, breaking: isRequest }]
  if (!after) return [{ description: 'may be any value', breaking: !isRequest }]
  return [
    ...missingFrom(before, after).map((value) => ({ description: `value ${value} was removed`, breaking: isRequest })),
    ...missingFrom(after, before).map((value) => ({ description: `value ${value} was added`, breaking: !isRequest })),
  ]
}

type Limit = string | number | undefined

function isLooser(name: string, oldLimit: Limit, newLimit: Limit): boolean {
  if (newLimit === undefined) return true
  if (oldLimit === undefined || name === 'pattern') return false
  return name.startsWith('min') ? newLimit < oldLimit : newLimit > oldLimit
}

function describe({ types, required }: Attribute): string {
  return `${required ? 'required' : 'optional'}, ${types.join(' or ')}`
}

/** Returns the elements of the first list that the second does not contain. */
const missingFrom = (expected: readonly string[], actual: readonly string[]) =>
  expected.filter((element) => !actual.includes(element))

/** A change, and the path at which it is. */
interface ChangedPart {
  readonly change: Difference['change']
  readonly path: string | undefined
}

function difference(
  operation: string,
  { change, path }: ChangedPart,
  description: string,
  breaking: boolean,
): Difference {
  return { operation, change, path, description, breaking }
}
