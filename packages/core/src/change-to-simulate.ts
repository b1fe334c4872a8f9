import type { JsonPatchInput } from './operation/body.ts'
import type { CallInput } from './operation/operation.ts'
import type { patchFlag } from './resources/flags/patch-flag.ts'
import type { patchSegment } from './resources/segments/patch-segment.ts'
import type { EvaluationContext } from './rules/evaluation/index.ts'

interface Asked {
  /** Whom to ask before and after: at most 1,000 contexts as `evaluate` takes them. Default: nobody. */
  readonly contexts?: readonly EvaluationContext[]
  /** Ask to do without the approval that the change needs, as the operation's query does. Default false. */
  readonly bypassRequiredApproval?: boolean
}

interface Place {
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

/** A change of a flag, looked at in one environment. */
export type FlagToSimulate = Asked &
  Place & { readonly flagKey: string } & (
    | Patch<CallInput<typeof patchFlag>['body']>
    /** What a change says that is scheduled already, as if it were made now. */
    | { readonly scheduledChangeId: string }
  )

/** A change of a segment. */
export type SegmentToSimulate = Asked &
  Place & { readonly segmentKey: string } & Patch<CallInput<typeof patchSegment>['body']>

/** What an approval request asks for, as if the caller made that change now. */
export type RequestToSimulate = Asked & { readonly approvalRequestId: string }
