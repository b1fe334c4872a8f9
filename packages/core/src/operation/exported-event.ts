/** Version of the schema of exported events. Within one version, only optional properties are added. */
export const exportSchemaVersion = 1

interface ExportedEventBase {
  readonly schemaVersion: typeof exportSchemaVersion
  /** Unique id of the event. It stays the same when the event is sent again. */
  readonly id: string
  /** When the event happened: integer ms, UTC. */
  readonly time: number
  readonly projectKey: string
  readonly environmentKey: string
}

/** An evaluation of a flag for a context, as an SDK reported it. */
export interface ExportedEvaluation extends ExportedEventBase {
  readonly kind: 'evaluation'
  /** Keys of the context by kind, e.g. `{ user: 'u-1', device: 'd-7' }`. Attributes are not exported. */
  readonly contextKeys: Readonly<Record<string, string>>
  readonly flagKey: string
  readonly flagVersion?: number
  /** Index of the variation; absent when the default of the application was returned. */
  readonly variation?: number
  readonly value: unknown
  readonly default?: unknown
  /** Why the variation was served; present when the SDK reports reasons. */
  readonly reason?: unknown
}

/** An event that the application tracked for a context. */
export interface ExportedCustomEvent extends ExportedEventBase {
  readonly kind: 'custom'
  /** Keys of the context by kind, e.g. `{ user: 'u-1' }`. */
  readonly contextKeys: Readonly<Record<string, string>>
  /** Name of the event, e.g. `purchase`. */
  readonly key: string
  readonly data?: unknown
  readonly metricValue?: number
}

/** A change of the environment, or of a part of its project that all environments share. */
export interface ExportedChange extends ExportedEventBase {
  readonly kind: 'change'
  /** The entry of the change log as `getChangeLogEntry` returns it, with times as integer ms. */
  readonly change: object
}

/** An event as destinations receive it. */
export type ExportedEvent = ExportedEvaluation | ExportedCustomEvent | ExportedChange
