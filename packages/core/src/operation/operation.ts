import type { Reader } from '../storage/reader.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Writer } from '../storage/writer.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { Access, AnonymousAccess } from './access.ts'
import type { BodyDeclaration, BodyInput, DecodedBody, OptionalJsonBody } from './body.ts'
import type { Caller } from './caller.ts'
import type { Context, Host } from './context.ts'
import type { DryRunInput } from './dry-run-query.ts'
import type { ErrorCode } from './errors.ts'
import type { Input, Output, Schema } from './schema.ts'
import type { UndoDeclaration } from './undo/undo-rules.ts'
import type { UploadBody } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Names of the parameters in a path such as `/api/v2/teams/{teamKey}`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never

export type Params<Path extends string> = Readonly<Record<PathParams<Path>, string>>

/** The response of a call that succeeds. */
export interface Success<Body extends Schema | undefined> {
  readonly status: 200 | 201 | 204
  readonly body?: Body
  /** Media type of a response that is not JSON, e.g. `text/csv`; `body` is then the schema of its `pieces`. */
  readonly mediaType?: string
  /** Properties of the body that contain a path of this API: over a transport they begin with its mount path. */
  readonly pathProperties?: readonly string[]
}

/**
 * The result of a handler: the response body, or a function that makes it. The function is for bodies with values that
 * are known only after the commit (a `Tally`). It is called once, after the commit, and must not throw.
 */
export type HandlerResult<Response extends Schema | undefined> = Response extends Schema
  ? Output<Response> | (() => Output<Response>)
  : // biome-ignore lint/suspicious/noConfusingVoidType: the handler of an operation without response body returns nothing
    void

/**
 * The definition of an operation: its id, method and path, the schemas of request and response, its errors, who may
 * call it, and its handler. Everything else about the operation is derived from it.
 */
export interface OperationDefinition<
  Id extends string,
  M extends Method,
  Path extends string,
  Query extends Schema | undefined,
  Body extends BodyDeclaration | undefined,
  Response extends Schema | undefined,
  Code extends ErrorCode,
> {
  readonly id: Id
  readonly summary: string
  readonly method: M
  readonly path: Path
  /**
   * `declared`: the specification lists the version header for it; `tagged`: its tag is beta
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header).
   */
  readonly beta?: 'declared' | 'tagged'
  /**
   * Path parameters that are not keys (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys): any text of
   * 1 to 256 characters, e.g. the name of a branch.
   */
  readonly freeParams?: readonly PathParams<Path>[]
  readonly query?: Query
  readonly body?: Body
  /** Maximum size of a request body in bytes, for operations that need more than the engine's own limit. */
  readonly bodyLimit?: number
  readonly success: Success<Response>
  /**
   * True when nothing that the handler writes is committed, so that the caller needs no right to write it. Default
   * false.
   */
  readonly dry?: boolean
  /**
   * The codes that the handler may `fail` with. The codes of the pipeline's own checks are added
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d7-errors-of-every-operation).
   */
  readonly errors: readonly Code[]
  readonly access: Access<Action>
  /**
   * Rules for undoing changes of documents that the operation creates, changes or deletes. Default: the changes cannot
   * be undone.
   */
  readonly undo?: readonly UndoDeclaration[]
  /**
   * True when the handler undoes changes of other operations. Their definitions, which declare how to undo changes, are
   * imported before the handler runs. Default false.
   */
  readonly undoes?: boolean
  /**
   * True when the handler runs other operations of the engine, whose writes are committed with its own. `sometimes`
   * when it does so for some inputs only. Default false.
   */
  readonly combines?: boolean | 'sometimes'
  /**
   * Finds the caller by a secret in the path, for operations whose access `identifies` one.
   *
   * @returns undefined for an unknown secret, and when the member who has the rights was deleted.
   */
  identify?(parts: IdentifyParts, params: Params<Path>): Promise<Caller | undefined>
  handle(
    context: Context<M extends 'GET' ? Reader : Writer, Code>,
    input: HandlerInput<Path, Query, Body>,
  ): Promise<HandlerResult<Response>>
}

/** Uncached reads of the account, and the services of the platform, for `identify`. */
export interface IdentifyParts {
  readonly reads: StorageReads
  readonly host: Host
}

export interface HandlerInput<Path extends string, Query, Body> {
  readonly params: Params<Path>
  readonly query: Query extends Schema ? Output<Query> : Record<string, never>
  readonly body: DecodedBody<Body>
}

/**
 * Any operation, without the types of its own call. The pipeline and everything that is derived from operations use
 * this type.
 */
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
  readonly undo?: readonly UndoDeclaration[]
  readonly undoes?: boolean
  readonly combines?: boolean | 'sometimes'
  /** Finds the caller by a secret in the path. */
  identify?(parts: IdentifyParts, params: Readonly<Record<string, string>>): Promise<Caller | undefined>
  /**
   * Imports the definition of an operation that `generated/listed-operations.ts` only declares. Returns a promise only
   * until the definition is imported.
   */
  load?(): Operation | Promise<Operation>
  // The inference seam: only the operation's own definition knows the types of its handler.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  handle(context: any, input: any): Promise<unknown>
}

/**
 * An operation with the types of its call. The types are written out. If they were inferred from the schemas, the
 * declarations of the package would be many times as long, and every program that imports the package would infer the
 * types again.
 */
export interface TypedOperation<Id extends string, Input, Response> extends Operation {
  readonly id: Id
  /** Exists in types only: the input and the response of a call. */
  readonly called?: (input: Input) => Response
}

const definitions = new Map<string, Operation>()

/**
 * Returns an operation with the types of its call. The caller declares them as its own return type, from which the
 * compiler infers `Input` and `Response`.
 */
export function typedOperation<Id extends string, Input, Response>(
  definition: Operation & { readonly id: Id },
): TypedOperation<Id, Input, Response> {
  definitions.set(definition.id, definition)
  return definition
}

/** Returns the definition of an operation, if the module that contains it has been imported. */
export function definitionOf(id: string): Operation | undefined {
  return definitions.get(id)
}

/**
 * Declares an operation.
 *
 * @param definition the operation; returned as it is, with the types of a call inferred from its literals and schemas.
 */
export function operation<
  const Id extends string,
  const M extends Method,
  const Path extends string,
  const Code extends ErrorCode = never,
  Query extends Schema | undefined = undefined,
  Body extends BodyDeclaration | undefined = undefined,
  Response extends Schema | undefined = undefined,
>(
  definition: OperationDefinition<Id, M, Path, Query, Body, Response, Code>,
): TypedOperation<
  Id,
  M extends 'GET' ? CallInputOf<Path, Query, Body> : WriteInputOf<Path, Query, Body>,
  ResponseOf<Response>
> {
  return typedOperation(definition)
}

/** An operation whose calls in process name no caller. */
export interface AnonymousOperation extends Operation {
  readonly access: AnonymousAccess
}

/**
 * Returns an operation with the type of one that requires no caller.
 *
 * @throws TypeError when it requires one.
 */
export function anonymousOperation<Each extends Operation>(definition: Each): Each & AnonymousOperation {
  const { access } = definition
  if (!('anonymous' in access)) throw new TypeError(`${definition.id}: access must be anonymous`)
  return { ...definition, access }
}

/** The type of an input value, with read-only lists and properties, because the engine does not modify inputs. */
export type DeepReadonly<T> =
  T extends AsyncIterable<unknown>
    ? T
    : T extends (infer Item)[] | readonly (infer Item)[]
      ? readonly DeepReadonly<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
        : T

/** The input of a call in process: path parameters and query parameters as properties, and `body`. */
export type CallInputOf<Path, Query, Body> = Path extends string
  ? Params<Path> & (Query extends Schema ? DeepReadonly<Input<Query>> : unknown) & BodyOf<Body>
  : never

type BodyOf<Body> = Body extends OptionalJsonBody
  ? { readonly body?: DeepReadonly<BodyInput<Body>> }
  : Body extends BodyDeclaration
    ? { readonly body: DeepReadonly<BodyInput<Body>> }
    : unknown

/**
 * The input of a call that changes something. An upload is stored in parts while it is read, so it has no dry run
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d36-dry-run).
 */
export type WriteInputOf<Path, Query, Body> = CallInputOf<Path, Query, Body> &
  (Body extends UploadBody ? unknown : DryRunInput)

/** The result of a call in process: the response body. */
export type ResponseOf<Response> = Response extends Schema ? Output<Response> : undefined

/** The input of a call of an operation in process. */
export type CallInput<O> = O extends { readonly called?: (input: infer Input) => unknown } ? Input : never

/** The result of a call of an operation in process. */
export type CallResponse<O> = O extends { readonly called?: (input: never) => infer Response } ? Response : never
