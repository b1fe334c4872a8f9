import type { OldEvaluator, OldEvaluatorMaker } from '../flag-format.ts'
import type { PlacedPayload } from './growthbook-export.ts'
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
export const growthbookEvaluator: OldEvaluatorMaker = {
  package: '@growthbook/growthbook',
  async open(library, values, options): Promise<OldEvaluator> {
    const read = readPayloads(values, options)
    if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
    const { GrowthBookClient } = library as GrowthBookLibrary
    const clients = new Map(
      read.payloads.map((one) => [one.environmentKey, new GrowthBookClient().initSync({ payload: payloadOf(one) })]),
    )
    return {
      evaluate({ environmentKey, from, context }) {
        const { kind: _kind, key, ...attributes } = context
        try {
          const answer = clients.get(environmentKey)?.evalFeature(from, { attributes: { ...attributes, id: key } })
          return { value: answer?.value ?? undefined, why: answer?.source ?? 'no such environment' }
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

/** Returns the payload as SDKs receive it: without features that are off. */
function payloadOf({ features, savedGroups }: PlacedPayload): object {
  const on = [...features].filter((entry) => entry[1].on)
  return { features: Object.fromEntries(on.map(([id, { definition }]) => [id, definition])), savedGroups }
}
