import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { type JsonPatch, type PatchBody, patchBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type AnswerOf, type Card, type GivenTo, operation } from '../operation.ts'
import { type MemberSchema, patchDocument } from '../patch-document.ts'
import type { Schema } from '../schema.ts'
import { type DocumentCard, headOf, type PathTo, type Shown } from './card.ts'

type PatchError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface PatchDocument<T extends Versioned, A extends string> {
  /** What a patch may touch, and what it must look like afterwards; members are named as they are stored. */
  readonly settings: MemberSchema
  /** Parts that may be touched. Default: every member of `settings` and all below it. */
  readonly paths?: readonly string[]
  /** Whether a JSON Merge Patch is taken as well, for documents whose members are scalars and all present. */
  readonly merge?: boolean
  /** The right to see what the answer shows, and a patch can test (D17). */
  readonly shows: { readonly action: string; readonly resource: string }
  /**
   * The document as the answer shows it to this caller, where that is not all of it: a patch can test and copy what it
   * sees. What `change` is then given is this with the patch applied. Default: the document.
   */
  seen?(context: Context<Writer, PatchError>, document: T, keys: Keys<A>): Promise<T> | T
  /** What a `test` that does not hold ends in. Default `optimistic_locking_error` (D11). */
  readonly whenTestFails?: 'invalid_request'
  /** What else follows from the change, or forbids it. Default: the document as patched. */
  change?(context: Context<Writer, PatchError>, patched: T, keys: Keys<A>, before: T): Promise<T> | T
}

/**
 * The card of an operation that changes one document by a JSON Patch (D11). The caller needs the action of each member
 * that differs afterwards (D17), as the collection tells.
 *
 * @param collection where the document is; its policy address is what is asked about.
 */
export function patchCard<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Answer extends Schema,
>(
  collection: Documents<T, A>,
  card: Omit<DocumentCard<Id, PathTo<A, Path>>, 'access'> & PatchDocument<T, A> & Shown<T, A, Answer>,
): Card<Id, GivenTo<Path, undefined, PatchBody<undefined>>, AnswerOf<Answer>> {
  const { present, merge = false, shows, seen = (_, document) => document, whenTestFails } = card
  const { change = (_, patched) => patched } = card
  return operation({
    ...headOf(card),
    method: 'PATCH',
    body: { ...patchBody(card.paths ?? membersOf(card.settings)), merge },
    success: { status: 200, body: card.answer },
    errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
    access: { action: collection.changeActions, resource: collection.policyTemplate, shows },
    async handle(context: Context<Writer, PatchError>, { params, body }: { params: object; body: JsonPatch }) {
      const keys = params as Keys<A>
      const before = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
      context.requireRevision(before.version)
      const patched = patchDocument(await seen(context, before, keys), body, card.settings, whenTestFails)
      const changed = await change(context, patched, keys, before)
      const after = context.tx.replace(collection, keys, before, changed)
      context.revision(after.version)
      return present(context as never, after, keys, undefined)
    },
  } as never) as never
}

/** Every member and all below it. */
function membersOf({ entries }: MemberSchema): string[] {
  return Object.keys(entries).map((member) => `/${member}/**`)
}
