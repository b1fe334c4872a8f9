import type { Reader } from '../storage/reader.ts'
import type { Writer } from '../storage/writer.ts'
import type { BodyDeclaration, BodyInput, DecodedBody } from './body.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'
import type { Input, Output, Schema } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The names in a path such as `/api/v2/teams/{teamKey}`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never

export type Params<Path extends string> = Readonly<Record<PathParams<Path>, string>>

/**
 * Who may call an operation.
 *
 * `action` on `resource` must be allowed; of several actions one is enough at the door, because a change is checked
 * again for each aspect that it touches. `resource` is an address whose parameters are those of the path, or
 * `{body.key}` and `{query.projectKey}` for a thing that the body or the query names; the card's schema must demand
 * that member. `open` asks for a valid caller and leaves the rest to the handler, which must then filter what it shows.
 */
export type Access =
  | {
      readonly action: string | readonly string[]
      readonly resource: string
      /**
       * What the answer shows besides, and a patch can test: whoever may change a thing does not see it by that alone
       * (D17).
       */
      readonly shows?: { readonly action: string; readonly resource: string }
      /** Answer a denial as `not_found`, where spec.md lists no `forbidden` (D7). */
      readonly masked?: boolean
    }
  | { readonly open: true; readonly why: string }

export interface Success<Body extends Schema | undefined> {
  readonly status: 200 | 201 | 204
  readonly body?: Body
  /** What the answer is where it is no JSON, e.g. `text/csv`; the schema is then that of `pieces`. */
  readonly mediaType?: string
}

/**
 * What a handler resolves with: the answer, or, where the answer tells what only the commit can know (a `Tally`), a
 * function that makes it. That is called once, after everything was stored, and must not fail.
 */
export type Handled<Answer extends Schema | undefined> = Answer extends Schema
  ? Output<Answer> | (() => Output<Answer>)
  : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer is an async function that returns nothing
    void

/**
 * The card of an operation: what it is called, where it is reached, what goes in, what comes out, how it may fail,
 * who may do it, what it does. Everything else is derived from it.
 */
export interface OperationCard<
  Id extends string,
  M extends Method,
  Path extends string,
  Query extends Schema | undefined,
  Body extends BodyDeclaration | undefined,
  Answer extends Schema | undefined,
  Code extends ErrorCode,
> {
  readonly id: Id
  readonly summary: string
  readonly method: M
  readonly path: Path
  /** `declared`: spec.md names the version header for it; `tagged`: its tag is beta (D5). */
  readonly beta?: 'declared' | 'tagged'
  /** Path parameters that are not keys (D8): any text of 1 to 256 characters, e.g. a branch name. */
  readonly freeParams?: readonly PathParams<Path>[]
  readonly query?: Query
  readonly body?: Body
  /** Bytes that a body over a transport may have, where the engine's own limit is too small for what it is meant for. */
  readonly bodyLimit?: number
  readonly success: Success<Answer>
  /** Tells what would be: nothing that the handler writes is committed, so it needs no right to it either. */
  readonly dry?: boolean
  /** What the handler may `fail` with; what gates answer comes by itself (D7). */
  readonly errors: readonly Code[]
  readonly access: Access
  /**
   * How often a call is run when its commit loses a race. Default 1: the caller shall look again and decide anew (D11).
   * More is for what leaves no decision, such as
   * samples that are added, or a value that is made once and is then the same for all.
   */
  readonly attempts?: number
  handle(
    context: Context<M extends 'GET' ? Reader : Writer, Code>,
    input: HandlerInput<Path, Query, Body>,
  ): Promise<Handled<Answer>>
}

export interface HandlerInput<Path extends string, Query, Body> {
  readonly params: Params<Path>
  readonly query: Query extends Schema ? Output<Query> : Record<string, never>
  readonly body: DecodedBody<Body>
}

/** Any card, for those who walk the table. */
export interface Operation {
  readonly id: string
  readonly summary: string
  readonly method: Method
  readonly path: string
  readonly beta?: 'declared' | 'tagged'
  readonly freeParams?: readonly string[]
  readonly query?: Schema
  readonly body?: BodyDeclaration
  readonly bodyLimit?: number
  readonly dry?: boolean
  readonly success: Success<Schema | undefined>
  readonly errors: readonly ErrorCode[]
  readonly access: Access
  readonly attempts?: number
  // The inference seam: what a handler takes is known to its own card only.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  handle(context: any, input: any): Promise<unknown>
}

/**
 * A card as others know it: its types are those of a call, worked out. Written with the schemas that they come from, the
 * declarations of the package would be many times as long, and every program that imports it would work them out anew.
 */
export interface Card<Id extends string, Given, Answer> extends Operation {
  readonly id: Id
  /** Says what a call takes and resolves with. For the compiler: nothing is ever there. */
  readonly called?: (given: Given) => Answer
}

/**
 * Declares an operation. The card is returned as it is, with the types of a call inferred from the literals in it.
 */
export function operation<
  const Id extends string,
  const M extends Method,
  const Path extends string,
  const Code extends ErrorCode = never,
  Query extends Schema | undefined = undefined,
  Body extends BodyDeclaration | undefined = undefined,
  Answer extends Schema | undefined = undefined,
>(card: OperationCard<Id, M, Path, Query, Body, Answer, Code>): Card<Id, GivenTo<Path, Query, Body>, AnswerOf<Answer>> {
  return card as never
}

/** A value as a caller may give it: nobody writes to it, so read-only lists are welcome. */
export type DeepReadonly<T> =
  T extends AsyncIterable<unknown>
    ? T
    : T extends (infer Item)[] | readonly (infer Item)[]
      ? readonly DeepReadonly<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
        : T

/** What a call in process takes: path parameters, query and body side by side. */
export type GivenTo<Path, Query, Body> = Path extends string
  ? Params<Path> &
      (Query extends Schema ? DeepReadonly<Input<Query>> : unknown) &
      (Body extends BodyDeclaration ? { readonly body: DeepReadonly<BodyInput<Body>> } : unknown)
  : never

/** What a call in process resolves with: the answer's body. */
export type AnswerOf<Answer> = Answer extends Schema ? Output<Answer> : undefined

/** What a call of an operation in process takes. */
export type CallInput<O> = O extends { readonly called?: (given: infer Given) => unknown } ? Given : never

/** What a call of an operation in process resolves with. */
export type CallAnswer<O> = O extends { readonly called?: (given: never) => infer Answer } ? Answer : never
