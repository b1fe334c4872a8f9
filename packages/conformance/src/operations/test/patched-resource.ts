import type { Operation } from '@halyard/core/operations'
import { assert } from '../../storage/assert.ts'
import type { Example } from '../example.ts'
import { requestOf } from '../operation-fixture.ts'
import type { RestorableAccount } from '../restorable-account.ts'

/** A value in a response. */
export interface Shown {
  readonly pointer: string
  readonly value: unknown
}

/** Returns every value in a response with its JSON Pointer, the response itself included. */
export function valuesIn(value: unknown, pointer = ''): Shown[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, value }]
  const inner = Object.entries(value).flatMap(([name, property]) =>
    valuesIn(property, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [{ pointer, value }, ...inner]
}

/** A resource that an operation patches, with the request that returns it to callers. */
export interface PatchedResource {
  readonly params: Example['params']
  readonly request: ReturnType<typeof requestOf>
  readonly response: unknown
}

/** Creates what the example of a patch changes, and returns the response of the operation that gets it. */
export async function newPatchedResource(account: RestorableAccount, operation: Operation): Promise<PatchedResource> {
  const { operations } = account.engine
  const { params } = await account.exampleOf(operation, account.newContext())
  const get = operations.find(({ method, path }) => method === 'GET' && shapeOf(path) === shapeOf(operation.path))
  // Without an operation that gets the resource, callers see what an empty patch returns.
  const request = get
    ? requestOf(get, { params: paramsFor(get, operation, params) })
    : patchRequest(operation, params, [])
  const { status, body } = await account.send(request)
  if (status !== 200) assert.fail(`${request.path}: ${status} ${body}`)
  return { params, request, response: JSON.parse(body) }
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}

/** Returns the same parameters under the names of another operation with the same path. */
function paramsFor(get: Operation, patch: Operation, params: Example['params']): Record<string, string> {
  const namesOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const names = namesOf(patch)
  return Object.fromEntries(namesOf(get).map((name, index) => [name, params?.[names[index] as string] ?? '']))
}

/** Returns the request of a JSON Patch. */
export function patchRequest(operation: Operation, params: Example['params'], body: readonly object[]) {
  return requestOf(operation, { ...(params ? { params } : {}), body })
}

/** Returns true when a pointer is one of the paths of a patch. */
export function isAllowed(paths: readonly string[], pointer: string): boolean {
  const names = pointer.split('/')
  return paths.some((path) => {
    const pattern = path.split('/')
    const isDeep = pattern.at(-1) === '**'
    if (isDeep) pattern.pop()
    const fits = isDeep ? names.length >= pattern.length : names.length === pattern.length
    return fits && pattern.every((name, index) => name === '*' || name === names[index])
  })
}
