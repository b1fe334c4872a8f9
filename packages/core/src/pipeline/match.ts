import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { OperationTable, Route } from '../operation/table.ts'
import type { WireRequest } from '../operation/wire.ts'

/** The operation that a request means, if any. */
export function meant(table: OperationTable, { method, path }: WireRequest): Operation | undefined {
  const found = table.match(method === 'HEAD' ? 'GET' : method, path)
  return found.kind === 'route' ? found.route.operation : undefined
}

/** Door 1: which operation a request means. Unknown paths are 404, known ones with another method 405 with `Allow`. */
export function match(table: OperationTable, request: WireRequest): Route {
  const found = table.match(request.method === 'HEAD' ? 'GET' : request.method, request.path)
  if (found.kind === 'route') return found.route
  if (found.kind === 'method') fail('method_not_allowed', { headers: { allow: found.allow.join(', ') } })
  return fail('not_found')
}
