import type { RelayEnvironment } from '../../../../rules/sdk-protocol/relay-messages.ts'

/** An event of the stream of a relay. */
export interface RelayEvent {
  readonly event: string
  readonly data: unknown
}

interface StoredItem {
  readonly version: number
  /** Undefined for a deleted environment. */
  readonly environment: RelayEnvironment | undefined
}

interface EventData {
  readonly path: string
  readonly version: number
  readonly data: RelayEnvironment & { readonly environments: Readonly<Record<string, RelayEnvironment>> }
}

/**
 * The environments of a relay, stored by the rules of the published relay: it ignores items without a higher version
 * than the stored one, stores the version of a deletion, and deletes items that a `put` does not contain, together with
 * their version.
 */
export function relayStore() {
  const items = new Map<string, StoredItem>()
  const store = (id: string, item: StoredItem) => {
    if (item.version > (items.get(id)?.version ?? -1)) items.set(id, item)
  }
  const idIn = (path: string) => /^\/environments\/([0-9a-f]{24})$/.exec(path)?.[1] as string
  return {
    apply({ event, data }: RelayEvent): void {
      const { path, version, data: content } = data as EventData
      if (event === 'patch') store(idIn(path), { version: content.version, environment: content })
      else if (event === 'delete') store(idIn(path), { version, environment: undefined })
      else {
        for (const [id, environment] of Object.entries(content.environments))
          store(id, { version: environment.version, environment })
        for (const id of [...items.keys()]) if (!(id in content.environments)) items.delete(id)
      }
    },
    /** Returns the environments by id. */
    all: (): ReadonlyMap<string, RelayEnvironment> =>
      new Map([...items].flatMap(([id, { environment }]) => (environment ? [[id, environment] as const] : []))),
  }
}

/** Returns the events in the text of a stream, without comments. */
export function eventsIn(text: string): RelayEvent[] {
  return [...text.matchAll(/^event: (\S+)\ndata: (.*)\n\n/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }))
}
