import type { Flag } from '../../../models/flags/flag.ts'
import type { ApprovedChange } from '../../../operation/approval-pass.ts'
import type { Context, WriteContext } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ExpectingWriter } from './references.ts'

/** The current state of the resource that a request is about. */
export interface Subject {
  readonly flag?: Flag
  /** Returns the names of the parts that an instruction changes or refers to. */
  partsOf(instruction: Instructions[number]): readonly string[]
  /** Returns the current value of a part. */
  valueOf(tx: Reader, part: string, writer?: ExpectingWriter): Promise<unknown>
  /**
   * Checks instructions that call operations, which a dry run on a writer cannot check. Default: `apply` in a dry run.
   *
   * @param approved the change that reviewers are asked to approve.
   */
  check?(context: Pick<WriteContext, 'runChanges'>, instructions: Instructions, approved: ApprovedChange): Promise<void>
  /**
   * Applies instructions as a patch would.
   *
   * @throws ApiError `invalid_request` that names each instruction that cannot be applied.
   */
  apply(context: ApplyContext, instructions: Instructions, options: ApplyOptions): Promise<void>
  /** Requires that the subject is unchanged at the commit. */
  requireUnchanged(tx: Writer): void
}

export type Instructions = readonly { readonly kind: string }[]

/** The parts of a request context that applying instructions needs, so that a dry run can provide them. */
export type ApplyContext = Pick<
  Context<Writer, 'invalid_request'>,
  'tx' | 'fail' | 'useHost' | 'readClock' | 'hasCome' | 'caller'
> &
  Partial<Pick<WriteContext, 'runChanges'>>

export interface ApplyOptions {
  readonly comment: string
  /**
   * True: check everything that the instructions affect. False: check only the documents that the subject has loaded.
   */
  readonly fullCheck: boolean
}
