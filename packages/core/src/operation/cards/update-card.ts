import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { type JsonBody, jsonBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type AnswerOf, type Card, type GivenTo, operation } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'
import { type DocumentCard, headOf, type PathTo, type QueryOutput, type Shown } from './card.ts'

type UpdateError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface UpdateDocument<
  M extends 'PATCH' | 'PUT',
  T extends Versioned,
  A extends string,
  Body extends Schema,
  Query extends Schema | undefined,
> {
  /** `PATCH` with some members of the document, `PUT` with all that a caller can set. */
  readonly method: M
  readonly body: Body
  /** What else the caller may say. */
  readonly query?: Query
  /** What policies call the document, where that is not its address in storage. */
  readonly resource?: string
  /** The right to see what the answer shows (D17). */
  readonly shows: { readonly action: string; readonly resource: string }
  /** Asks for what `change` will look at, in the same turn as for the document: a unit sees everything once. */
  ahead?(context: Context<Writer, UpdateError>, body: Output<Body>, keys: Keys<A>): Promise<unknown>
  /** The document as it is to be. Default: with the members of the body that are there in the place of its own. */
  change?(
    context: Context<Writer, UpdateError>,
    before: T,
    body: Output<Body>,
    keys: Keys<A>,
    query: QueryOutput<Query>,
  ): Promise<T> | T
}

/**
 * The card of an operation that changes one document by a plain object: members that are given take the place of those
 * that are stored. The caller needs the action of each member that differs afterwards (D17).
 */
export function updateCard<
  const Id extends string,
  M extends 'PATCH' | 'PUT',
  const Path extends string,
  T extends Versioned,
  A extends string,
  Body extends Schema,
  Answer extends Schema,
  Query extends Schema | undefined = undefined,
>(
  collection: Documents<T, A>,
  card: Omit<DocumentCard<Id, PathTo<A, Path>>, 'access'> & UpdateDocument<M, T, A, Body, Query> & Shown<T, A, Answer>,
): Card<Id, GivenTo<Path, Query, JsonBody<Body>>, AnswerOf<Answer>> {
  const { method, present, resource = collection.policyTemplate, shows, ahead } = card
  const { change = (_, before, body) => withMembers(before, body) } = card
  return operation({
    ...headOf(card),
    method,
    query: card.query,
    body: jsonBody(card.body),
    success: { status: 200, body: card.answer },
    errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
    access: { action: collection.changeActions, resource, shows },
    async handle(
      context: Context<Writer, UpdateError>,
      { params, query, body }: { params: object; query: unknown; body: unknown },
    ) {
      const keys = params as Keys<A>
      const asked = [context.tx.get(collection, keys), ahead?.(context, body as Output<Body>, keys)] as const
      const before = (await Promise.all(asked))[0] ?? context.fail('not_found')
      context.requireRevision(before.version)
      const changed = await change(context, before, body as Output<Body>, keys, query as QueryOutput<Query>)
      const after = context.tx.replace(collection, keys, before, changed)
      context.revision(after.version)
      return present(context as never, after, keys, undefined)
    },
  } as never) as never
}

/**
 * A document with the members of a body that are there in the place of its own. A comment is about the change and no
 * part of what is changed.
 */
export function withMembers<T extends Versioned>(before: T, body: unknown): T {
  const { comment, ...given } = body as Readonly<Record<string, unknown>>
  const there = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(there) }
}
