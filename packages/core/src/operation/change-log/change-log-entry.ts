import type { JsonDelta } from '../../rules/json-delta.ts'
import type { Membership } from '../../storage/writer.ts'

/** An entry as it is stored; its id and time are those of its sample, its label the address of what it is about. */
export interface ChangeLogEntry {
  /** Id of the operation, e.g. `patchFlag`. */
  readonly operation: string
  /** What the operation does, in words. */
  readonly description?: string
  /** The kind of thing that it is about, e.g. `flag`. */
  readonly kind: string
  readonly name: string
  /** What became of it. What had a default until now and is stored for the first time is updated. */
  readonly verb?: 'created' | 'updated' | 'deleted'
  readonly caller: { readonly id: string; readonly memberId?: string; readonly tokenId?: string }
  readonly comment?: string
  readonly changes: readonly LoggedChange[]
  /** Actions that were needed besides those of the changes. */
  readonly besides?: readonly Demanded[]
}

/** An action that the caller needed, and on what. */
export interface Demanded {
  readonly action: string
  /** Its address. */
  readonly resource: string
}

/** What happened to one thing: its address, the actions that the change needed, and the change itself, without secrets. */
export interface LoggedChange extends JsonDelta {
  readonly resource: string
  readonly kind: string
  readonly actions: readonly string[]
  /** What came to a set of the thing or left it, where it is kept beside the document. */
  readonly members?: Required<Omit<Membership, 'action'>>
}
