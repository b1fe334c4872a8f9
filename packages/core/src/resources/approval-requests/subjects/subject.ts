import type { ApprovalSettings } from '../../../models/environments/approval-settings.ts'
import type { Environment } from '../../../models/environments/environment.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import type { Context } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { Hold } from './references.ts'

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
