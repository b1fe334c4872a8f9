import type { EnvironmentKeys } from '../models/environments/environment-keys.ts'
import type { JsonPatchInput } from '../operation/body.ts'
import type { CallInput } from '../operation/operation.ts'
import type { patchAIConfig } from '../resources/ai-configs/patch-ai-config.ts'
import type { patchAIConfigTargeting } from '../resources/ai-configs/targeting/patch-ai-config-targeting.ts'
import type { patchAIConfigVariation } from '../resources/ai-configs/variations/patch-ai-config-variation.ts'
import type { patchFlag } from '../resources/flags/patch-flag.ts'
import type { patchSegment } from '../resources/segments/patch-segment.ts'
import type { EvaluationContext } from '../rules/evaluation/index.ts'

interface SimulationOptions {
  /**
   * Contexts to evaluate before and after the change: at most 1,000, in the form that `evaluate` accepts. Default: no
   * contexts.
   */
  readonly contexts?: readonly EvaluationContext[]
  /**
   * True to bypass the approval that the change requires, like the query parameter `bypassRequiredApproval` of the
   * operation. Default false.
   */
  readonly bypassRequiredApproval?: boolean
}

/**
 * A semantic patch, or a JSON Patch, in the form that the operation accepts
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
 * A change of an AI config, simulated for one environment. Instructions change its targeting; a patch changes the
 * config itself or one of its variations.
 */
export type AIConfigToSimulate = SimulationOptions &
  EnvironmentKeys & { readonly configKey: string; readonly comment?: string } & (
    | { readonly instructions: CallInput<typeof patchAIConfigTargeting>['body']['instructions'] }
    /** The new properties of the variation, in the form that `patchAIConfigVariation` accepts. */
    | { readonly variationKey: string; readonly patch: CallInput<typeof patchAIConfigVariation>['body'] }
    /** The new properties of the config, in the form that `patchAIConfig` accepts. */
    | { readonly patch: CallInput<typeof patchAIConfig>['body'] }
  )

/** An approval request, whose change is simulated as if the caller applied it now. */
export type RequestToSimulate = SimulationOptions & {
  readonly approvalRequestId: string
  /**
   * The environment in which the change is simulated. Required for a request about the contents of an AI config: all
   * environments share these contents, and the request must have one instruction. Must be left out for all other
   * requests, because these concern one environment.
   */
  readonly environmentKey?: string
}
