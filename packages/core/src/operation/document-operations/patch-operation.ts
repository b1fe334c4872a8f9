import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { ShownResource } from '../access.ts'
import { type JsonPatch, type PatchBody, patchBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type ResponseOf, type TypedOperation, typedOperation, type WriteInputOf } from '../operation.ts'
import { actionsByPath } from '../patch-actions.ts'
import { type ObjectSchema, patchDocument } from '../patch-document.ts'
import type { Schema } from '../schema.ts'
import { type UndoRules, undoOf } from '../undo/undo-rules.ts'
import { changeDocument } from './change-document.ts'
import { type DocumentOperationDefinition, headOf, type PathTo, type Serialization } from './document-operation.ts'

type PatchError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface PatchDocument<T extends Versioned, A extends string> {
  /** Schema of the properties that a patch may change, under the names with which they are stored. */
  readonly settings: ObjectSchema
  /** JSON Pointers of the parts that may be changed. Default: every property of `settings` and everything below it. */
  readonly paths?: readonly string[]
  /** True when a JSON Merge Patch is accepted too, for documents whose properties are scalars and all present. */
  readonly merge?: boolean
  /**
   * The right to see the response, whose parts a patch can test
   * (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
   */
  readonly shows: ShownResource
  /**
   * Returns the document as this caller may see it, when the response does not contain all of it: the patch is applied
   * to that document, so that it can test and copy only visible parts. `change` gets the patched document. Default: the
   * document.
   */
  visibleDocument?(context: Context<Writer, PatchError>, document: T, keys: Keys<A>): Promise<T> | T
  /**
   * Error code for a `test` that fails. Default `optimistic_locking_error`
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   */
  readonly whenTestFails?: 'invalid_request'
  /** Rules for undoing changes. Default: a revert passes the earlier state to `change`, like a patched document. */
  readonly undo?: UndoRules<T, A>
  /** Returns the document to store; it may fail. Default: the patched document. */
  change?(context: Context<Writer, PatchError>, patched: T, keys: Keys<A>, before: T): Promise<T> | T
}

/**
 * Declares an operation that changes one document by a JSON Patch
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch). The caller needs the action of each
 * property that the patch changes (docs/decisions/0002-decide-access-by-policy.md#d17-actions), as the collection
 * declares them.
 *
 * @param collection the document's collection; its policy address is the resource of the authorization.
 */
export function patchOperation<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Response extends Schema,
>(
  collection: Documents<T, A>,
  definition: Omit<DocumentOperationDefinition<Id, PathTo<A, Path>>, 'access'> &
    PatchDocument<T, A> &
    Serialization<T, A, Response>,
): TypedOperation<Id, WriteInputOf<Path, undefined, PatchBody<undefined>>, ResponseOf<Response>> {
  const {
    serialize,
    merge = false,
    shows,
    visibleDocument: seen = (_, document) => document,
    whenTestFails,
  } = definition
  const { change = (_, patched) => patched } = definition
  return typedOperation({
    ...headOf(definition),
    method: 'PATCH',
    body: { ...patchBody(actionsByPath(definition.paths ?? pathsOf(definition.settings), collection)), merge },
    success: { status: 200, body: definition.response },
    errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
    access: { action: collection.changeActions, resource: collection.policyTemplate, shows },
    undo: [
      undoOf(collection, {
        async update(context, { keys, current, wanted }) {
          context.tx.replace(collection, keys, current, await change(context, wanted, keys, current))
        },
        ...definition.undo,
      }),
    ],
    async handle(context: Context<Writer, PatchError>, { params, body }: { params: Keys<A>; body: JsonPatch }) {
      const after = await changeDocument(context, collection, params, async (before) => {
        const patched = await patchDocument(await seen(context, before, params), body, definition.settings, {
          shown: () => serialize(context, before, params, undefined),
          whenTestFails,
        })
        return change(context, patched, params, before)
      })
      return serialize(context, after, params, undefined)
    },
  })
}

/** Returns a path pattern for each property of a schema and one for everything below it. */
function pathsOf({ entries }: ObjectSchema): string[] {
  return Object.keys(entries).map((property) => `/${property}/**`)
}
