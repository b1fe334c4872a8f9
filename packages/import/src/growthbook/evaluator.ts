import type { OldEvaluator, OldEvaluatorFactory } from '../flag-format.ts'
import type { EnvironmentPayload } from './growthbook-export.ts'
import { readPayloads } from './payloads.ts'

/** The part of the package that is used. */
interface GrowthBookLibrary {
  readonly GrowthBookClient: new () => GrowthBookClient
}

interface GrowthBookClient {
  initSync(options: { readonly payload: object }): GrowthBookClient
  evalFeature(id: string, user: { readonly attributes: object }): { readonly value: unknown; readonly source: string }
  destroy(): void
}

/** GrowthBook's SDK for JavaScript. */
export const growthbookEvaluator: OldEvaluatorFactory = {
  package: '@growthbook/growthbook',
  async open(library, values, options): Promise<OldEvaluator> {
    const read = readPayloads(values, options)
    if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
    const { GrowthBookClient } = library as GrowthBookLibrary
    const clients = new Map(
      read.payloads.map((payload) => [
        payload.environmentKey,
        new GrowthBookClient().initSync({ payload: payloadOf(payload) }),
      ]),
    )
    return {
      evaluate({ environmentKey, from, context }) {
        const { kind: _kind, key, ...attributes } = context
        try {
          const result = clients.get(environmentKey)?.evalFeature(from, { attributes: { ...attributes, id: key } })
          return { value: result?.value ?? undefined, why: result?.source ?? 'no such environment' }
        } catch (error) {
          return { value: undefined, why: `the evaluator failed: ${(error as Error).message}` }
        }
      },
      close() {
        for (const client of clients.values()) client.destroy()
      },
    }
  },
}

/** Returns the payload that SDKs receive, which has no features that are off. */
function payloadOf({ features, savedGroups }: EnvironmentPayload): object {
  const on = [...features].filter((entry) => entry[1].on)
  return { features: Object.fromEntries(on.map(([id, { definition }]) => [id, definition])), savedGroups }
}
