import type { Context } from '../../operation/context.ts'
import type { Schema } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Writer } from '../../storage/writer.ts'
import type { ApprovalSettings, Environment } from '../environments/environment.ts'
import type { Flag } from '../flags/flag.ts'
import type { ApprovableKind, ApprovalPlace } from './approval-request.ts'
import { flagInstructions, loadFlagSubject } from './flag-subject.ts'
import type { Hold } from './references.ts'
import { loadSegmentSubject, segmentInstructions } from './segment-subject.ts'

/** What a request is about, as it is now. */
export interface Subject {
  readonly environment: Environment
  /** What the environment asks of reviews now. */
  readonly settings: ApprovalSettings
  readonly flag?: Flag
  /** Names of what an instruction changes, and of what it brings into play. */
  partsOf(instruction: Instructions[number]): readonly string[]
  /** Such a part as it is now. */
  valueOf(tx: Reader, part: string, hold?: Hold): Promise<unknown>
  /**
   * Follows instructions on the way of every other change; the environment counts as having approved them.
   *
   * @throws ApiError `invalid_request` naming each instruction that cannot be followed.
   */
  follow(context: FollowContext, instructions: Instructions, manner: FollowManner): Promise<void>
  /** Makes the call fail unless the subject is still there when it commits. */
  hold(tx: Writer): void
}

export type Instructions = readonly { readonly kind: string }[]

/** What of a call following instructions takes, so that it can be rehearsed as well. */
export type FollowContext = Pick<
  Context<Writer, 'invalid_request'>,
  'tx' | 'fail' | 'useHost' | 'readClock' | 'hasCome'
>

export interface FollowManner {
  readonly comment: string
  /** Whether everything is looked at that the instructions touch, or only what the subject has loaded. */
  readonly thorough: boolean
  /** Whether reviewers have approved the change where its environment requires that. Default true. */
  readonly approved?: boolean
}

/** Reads what a request is about, in one turn; undefined when it is not there. */
export function loadSubject(tx: Reader, place: ApprovalPlace): Promise<Subject | undefined> {
  return place.kind === 'flag' ? loadFlagSubject(tx, place) : loadSegmentSubject(tx, place)
}

/** The schemas of instructions. */
export const instructionsOf: Readonly<Record<ApprovableKind, Schema>> = {
  flag: flagInstructions,
  segment: segmentInstructions,
}
