import type { EvaluationContext, JsonValue, ResolutionDetails } from '@openfeature/core'

/** The type that a caller expects of a flag value. */
export interface ValueType<T> {
  readonly name: string
  is(value: unknown): value is T
}

const booleanType: ValueType<boolean> = { name: 'boolean', is: (value) => typeof value === 'boolean' }
const stringType: ValueType<string> = { name: 'string', is: (value) => typeof value === 'string' }
const numberType: ValueType<number> = { name: 'number', is: (value) => typeof value === 'number' }
// The type of objects includes null.
const objectType: ValueType<object | null> = { name: 'object', is: (value) => typeof value === 'object' }

/** The server SDK expects promises; the web SDK expects values. */
type Resolution<IsAsync extends boolean, T> = IsAsync extends true
  ? Promise<ResolutionDetails<T>>
  : ResolutionDetails<T>

/** Resolves a flag, and checks its type. */
export type Resolve<IsAsync extends boolean> = <T>(
  flagKey: string,
  defaultValue: T,
  type: ValueType<T>,
  context: EvaluationContext,
) => Resolution<IsAsync, T>

/** The resolvers of a provider. */
export interface TypedResolvers<IsAsync extends boolean> {
  resolveBooleanEvaluation(
    flagKey: string,
    defaultValue: boolean,
    context: EvaluationContext,
  ): Resolution<IsAsync, boolean>
  resolveStringEvaluation(
    flagKey: string,
    defaultValue: string,
    context: EvaluationContext,
  ): Resolution<IsAsync, string>
  resolveNumberEvaluation(
    flagKey: string,
    defaultValue: number,
    context: EvaluationContext,
  ): Resolution<IsAsync, number>
  resolveObjectEvaluation<T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
  ): Resolution<IsAsync, T>
}

/** Creates the resolvers of a provider from one function. */
export function typedResolvers<IsAsync extends boolean>(resolve: Resolve<IsAsync>): TypedResolvers<IsAsync> {
  return {
    resolveBooleanEvaluation: (key, defaultValue, context) => resolve(key, defaultValue, booleanType, context),
    resolveStringEvaluation: (key, defaultValue, context) => resolve(key, defaultValue, stringType, context),
    resolveNumberEvaluation: (key, defaultValue, context) => resolve(key, defaultValue, numberType, context),
    resolveObjectEvaluation: <T extends JsonValue>(key: string, defaultValue: T, context: EvaluationContext) =>
      // Cast: the caller guarantees T, which no function can check at run time.
      resolve(key, defaultValue, objectType as unknown as ValueType<T>, context),
  }
}
