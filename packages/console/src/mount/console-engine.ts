import type { As, Engine, EnvironmentRef, SdkService } from '@halyard/core'

/**
 * The functions of an engine that the console calls in process, because no operation of the API has them. They check
 * their whole input, because the page sent it.
 */
export interface ConsoleEngine extends Pick<Engine, 'handle' | 'explain' | 'as'> {
  simulate(change: object, options: { readonly as: As }): Promise<unknown>
  evaluator(environment: EnvironmentRef): ConsoleEvaluator
  readonly sdk: Pick<SdkService, 'evaluations'>
}

/** The functions of an evaluator that the console calls. */
export interface ConsoleEvaluator {
  ready(): Promise<void>
  /** False when the storage does not report changes. */
  readonly current: boolean
  lookUpBigSegments(context: object): Promise<void>
  evaluateAll(context: object): object
  explain(flagKey: string, context: object): object | undefined
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
}
