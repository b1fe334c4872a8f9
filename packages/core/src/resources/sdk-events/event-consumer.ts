import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import type { SdkEvent } from '../../rules/sdk-protocol/sdk-events.ts'
import type { Change } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'

/** The events of one request of an SDK, or events of this process. */
export interface EventReport {
  /** Id that the SDK sent. Undefined when the SDK sent no id, so that a repeated report cannot be recognized. */
  readonly id: string | undefined
  /**
   * True when the sender authenticated with a secret. Ids of other senders are not stored, because anyone can invent
   * them.
   */
  readonly trusted: boolean
  /** Time of arrival: integer ms, UTC. */
  readonly at: number
  readonly events: readonly SdkEvent[]
  /** Returns true if a flag with this key exists and the sender can evaluate it. */
  isKnownFlag(flagKey: string): boolean
}

/**
 * A part of the engine that uses the events of SDKs and of `engine.track`. A consumer keeps no state: the intake keeps
 * the data that the consumer extracts from a report. It commits the changes of all consumers together with the report's
 * id. A report that is sent again therefore takes effect once, for all consumers.
 *
 * To add a consumer, export a constant of this type from the folder of its resource, and add it to `eventConsumers` of
 * the design in `whole-engine.ts`.
 */
export interface EventConsumer<Item = unknown> {
  /**
   * Returns the data that the consumer needs from a report. The data should be small, because they stay in memory until
   * the next write. Synchronous; never throws. The items must not refer to the data of an event, because the caller may
   * change that data.
   *
   * @returns an empty list when the report has nothing for the consumer.
   */
  take(report: EventReport, environmentKeys: EnvironmentKeys): readonly Item[]
  /**
   * Makes the changes by which items of one environment take effect. Called again with newer documents when the commit
   * conflicts with another commit. Items that refer to something that does not exist are left out.
   *
   * @param items at least one, in the order of the reports.
   * @throws any error of the storage: then the items are kept for a later attempt.
   */
  changes(
    storage: EventStorage,
    environmentKeys: EnvironmentKeys,
    items: readonly Item[],
    host: Host,
  ): Promise<readonly Change[]>
}

/** The reads of a consumer. */
export type EventStorage = StorageReads
