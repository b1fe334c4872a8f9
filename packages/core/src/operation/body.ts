import type { Operation as PatchOperation } from '../rules/json-patch/operation.ts'
import type { PathActions } from './patch-actions.ts'
import type { Input, Output, Schema } from './schema.ts'
import type { Upload, UploadBody, UploadInput } from './upload.ts'

/** The kinds of request body: a JSON value that matches a schema, a patch, or a file. */
export type BodyDeclaration = JsonBody | PatchBody | UploadBody

export interface JsonBody<S extends Schema = Schema> {
  readonly kind: 'json'
  readonly schema: S
  /** True when a missing body means an empty object. Default false. */
  readonly optional?: boolean
}

export interface OptionalJsonBody<S extends Schema = Schema> extends JsonBody<S> {
  readonly optional: true
}

/** Declares a body that must match a schema. */
export function jsonBody<S extends Schema>(schema: S): JsonBody<S> {
  return { kind: 'json', schema }
}

/** Declares a body that callers may leave out, for an operation that needs no more than its path. */
export function optionalJsonBody<S extends Schema>(schema: S): OptionalJsonBody<S> {
  return { kind: 'json', schema, optional: true }
}

export interface PatchBody<Semantic extends Schema | undefined = Schema | undefined> {
  readonly kind: 'patch'
  /**
   * Parts that a JSON Patch may change: `/name` is that property alone, `/metadata/**` the property and everything
   * below it. Empty where a JSON Patch is not accepted.
   */
  readonly paths: readonly string[]
  /** The actions that a change of each of these parts needs. */
  readonly actions: PathActions
  /**
   * The instruction list of the semantic patch, where the resource has one
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
   */
  readonly semantic: Semantic
  /** True when an object that is not a JSON Patch is accepted as a JSON Merge Patch of scalar properties (RFC 7396). */
  readonly merge?: boolean
}

/**
 * Declares a body that is a JSON Patch (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch), or
 * also a semantic patch (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch) when `semantic`
 * is defined.
 *
 * @param actions the parts that may be changed, with the actions that each change needs: the result of `actionsByPath`.
 * @param semantic schema of one instruction: an object with `kind`.
 */
export function patchBody(actions: PathActions): PatchBody<undefined>
export function patchBody<S extends Schema>(actions: PathActions, semantic: S): PatchBody<S>
export function patchBody(actions: PathActions, semantic?: Schema): PatchBody {
  return { kind: 'patch', paths: Object.keys(actions), actions, semantic }
}

/** A body that must be a semantic patch; a JSON Patch is refused. */
export interface SemanticPatchBody<Semantic extends Schema = Schema> extends PatchBody<Semantic> {
  readonly paths: readonly []
}

/**
 * Declares a body that is a semantic patch
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * @param semantic schema of one instruction: an object with `kind`.
 */
export function semanticPatchBody<S extends Schema>(semantic: S): SemanticPatchBody<S> {
  return { kind: 'patch', paths: [], actions: {}, semantic }
}

export interface JsonPatch {
  readonly format: 'json-patch'
  readonly comment: string | undefined
  readonly operations: readonly PatchOperation[]
}

export interface SemanticPatch<Instruction> {
  readonly format: 'semantic'
  readonly comment: string | undefined
  readonly environmentKey: string | undefined
  readonly instructions: readonly Instruction[]
}

/** The body as a handler receives it. */
export type DecodedBody<B> =
  B extends JsonBody<infer S>
    ? Output<S>
    : B extends SemanticPatchBody<infer Semantic>
      ? SemanticPatch<Output<Semantic>>
      : B extends PatchBody<infer Semantic>
        ? Semantic extends Schema
          ? JsonPatch | SemanticPatch<Output<Semantic>>
          : JsonPatch
        : B extends UploadBody<infer Fields>
          ? Upload<Output<Fields>>
          : undefined

/** The body as a caller in process passes it. */
export type BodyInput<B> =
  B extends JsonBody<infer S>
    ? Input<S>
    : B extends SemanticPatchBody<infer Semantic>
      ? SemanticPatchInput<Input<Semantic>>
      : B extends PatchBody<infer Semantic>
        ? JsonPatchInput | (Semantic extends Schema ? SemanticPatchInput<Input<Semantic>> : never)
        : B extends UploadBody<infer Fields>
          ? UploadInput & Input<Fields>
          : undefined

export type JsonPatchInput =
  | readonly { readonly op: string; readonly path: string; readonly value?: unknown; readonly from?: string }[]
  | { readonly comment?: string; readonly patch: JsonPatchInput }

export interface SemanticPatchInput<Instruction> {
  readonly comment?: string
  readonly environmentKey?: string
  readonly instructions: readonly Instruction[]
}
