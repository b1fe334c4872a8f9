import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { UnservedOperation } from '../operation/unserved-operation.ts'
import { OperationTable } from './match.ts'

/**
 * The operations of the reference API that this API does not have. They are imported when a request first matches no
 * operation.
 */
export class UnservedRoutes {
  readonly #load: () => Promise<readonly UnservedOperation[]>
  #table: Promise<OperationTable> | undefined

  /** @param load imports the list. After a failure, it is called again. */
  constructor(load: () => Promise<readonly UnservedOperation[]>) {
    this.#load = load
  }

  /**
   * Refuses a request that matches an operation of the list.
   *
   * @throws ApiError `not_implemented` with the id of the operation and the reason.
   */
  async refuse(method: string, path: string): Promise<void> {
    this.#table ??= this.#load().then((routes) => new OperationTable(routes.map(refusingOperation)))
    // After a failed import, the next request imports again.
    this.#table.catch(() => (this.#table = undefined))
    const match = (await this.#table).match(method, path)
    if (match.kind === 'route') fail('not_implemented', { message: match.route.operation.summary })
  }
}

/** Returns an operation that requests can match, but that cannot be called. */
function refusingOperation({ id, method, path, reason }: UnservedOperation): Operation {
  return {
    id,
    summary: `${id} is not served: ${reason}`,
    // Cast: the list has the methods of operations.
    method: method as Operation['method'],
    path,
    success: { status: 204 },
    errors: [],
    access: { open: true, why: 'it cannot be called' },
    handle: async () => fail('not_implemented'),
  }
}
