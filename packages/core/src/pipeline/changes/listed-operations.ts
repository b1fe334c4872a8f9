import type { ListedCall } from '../../operation/change-list.ts'
import { fail } from '../../operation/errors.ts'
import type { Operation } from '../../operation/operation.ts'
import type { UnitOfWork } from '../../storage/unit-of-work.ts'
import type { OperationTable } from '../match.ts'

type ListName = 'changes' | 'preconditions'

/**
 * Returns the operation that an item of a list names.
 *
 * @throws ApiError `invalid_request` naming the item when the engine does not have the operation, or when it cannot be
 *   part of the list.
 */
export function findOperation(table: OperationTable, list: ListName, index: number, item: ListedCall): Operation {
  const operation = table.find(item.operation) ?? refuse(list, index, item, 'must be an operation of this engine')
  const reads = operation.method === 'GET'
  if (list === 'preconditions' && !reads) refuse(list, index, item, 'must be an operation that reads')
  if (list === 'changes' && reads) refuse(list, index, item, 'must be an operation that writes')
  if ('anonymous' in operation.access)
    refuse(list, index, item, 'must be an operation that the caller is authorized for')
  if (item.parameters?.dryRun !== undefined) {
    fail('invalid_request', {
      errors: [{ attribute: `${list}.${index}.parameters.dryRun`, reason: 'must be a parameter of the whole list' }],
    })
  }
  return operation
}

/**
 * Refuses an operation whose definition does not allow it in a list: an upload is stored in parts before its commit, a
 * revert reads the change log, which has no entry of the list yet, and a dry operation writes nothing.
 */
export function refuseDefinition({ body, dry, undoes, combines }: Operation, index: number, item: ListedCall): void {
  if (body?.kind === 'upload') refuse('changes', index, item, 'must not be an upload, which is stored in parts')
  if (dry) refuse('changes', index, item, 'must be an operation that writes')
  if (undoes) refuse('changes', index, item, 'must not be an operation that reverts others')
  if (combines === true) refuse('changes', index, item, 'must not be an operation that combines others')
}

/** Refuses a change that makes or replaces a secret, because only the response of that operation shows the secret. */
export function refuseSecrets(list: ListName, index: number, item: ListedCall, unit: UnitOfWork): void {
  for (const { collection, before, after } of unit.written()) {
    if (after && collection.secrets.some((name) => propertyOf(after, name) !== propertyOf(before, name))) {
      refuse(list, index, item, 'must not be an operation that makes or replaces a secret')
    }
  }
}

function propertyOf(document: object | undefined, name: PropertyKey): unknown {
  return (document as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name]
}

function refuse(list: ListName, index: number, { operation }: ListedCall, reason: string): never {
  return fail('invalid_request', {
    errors: [{ attribute: `${list}.${index}.operation`, reason: `${reason}: ${operation}` }],
  })
}
