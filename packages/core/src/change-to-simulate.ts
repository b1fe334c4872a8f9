import type { JsonPatchInput } from './operation/body.ts'
import type { CallInput } from './operation/operation.ts'
import type { patchFlag } from './resources/flags/patch-flag.ts'
import type { patchSegment } from './resources/segments/patch-segment.ts'
import type { EvaluationContext } from './rules/evaluation/index.ts'

interface SimulationOptions {
  /** Contexts to evaluate before and after the change: at most 1,000, as `evaluate` takes them. Default: none. */
  readonly contexts?: readonly EvaluationContext[]
  /**
   * Simulates the change without the approval that it requires, like the operation's query parameter. Default false.
   */
  readonly bypassRequiredApproval?: boolean
}

interface EnvironmentKeys {
  readonly projectKey: string
  readonly environmentKey: string
}

/**
 * A semantic patch, or a JSON Patch, as the operation takes them
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch,
 * docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
type Patch<Body> =
  | { readonly instructions: InstructionsIn<Body>; readonly comment?: string }
  | { readonly patch: JsonPatchInput; readonly comment?: string }

type InstructionsIn<Body> = Extract<Body, { readonly instructions: unknown }>['instructions']

/** A change of a flag, simulated in one environment. */
export type FlagToSimulate = SimulationOptions &
  EnvironmentKeys & { readonly flagKey: string } & (
    | Patch<CallInput<typeof patchFlag>['body']>
    /** The id of a scheduled change, which is simulated as if it were applied now. */
    | { readonly scheduledChangeId: string }
  )

/** A change of a segment. */
export type SegmentToSimulate = SimulationOptions &
  EnvironmentKeys & { readonly segmentKey: string } & Patch<CallInput<typeof patchSegment>['body']>

/**
 * An approval request about a flag or a segment, whose change is simulated as if the caller applied it now. A request about
 * an AI config is refused with `invalid_request`: the response has no part for the values that AI configs serve.
 */
export type RequestToSimulate = SimulationOptions & { readonly approvalRequestId: string }
