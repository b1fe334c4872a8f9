import type { OldEvaluator } from '../flag-format.ts'
import { type ReferenceConfig, type ReferenceExport, type ReferenceFlag, readReferenceExport } from './export.ts'
import { type OfflineLibrary, openOfflineSdk } from './offline-sdk.ts'

/** The part of the SDK that is used. */
type ReferenceLibrary = OfflineLibrary<ReferenceClient, TestData>

interface TestData {
  getFactory(): unknown
  usePreconfiguredFlag(flag: object): Promise<unknown>
  usePreconfiguredSegment(segment: object): Promise<unknown>
}

interface ReferenceClient {
  waitForInitialization(options: { timeout: number }): Promise<unknown>
  variationDetail(key: string, context: object, preset: unknown): Promise<ReferenceDetail>
  close(): void
}

interface ReferenceDetail {
  readonly value: unknown
  readonly variationIndex?: number | null
  readonly reason: { readonly kind: string; readonly ruleIndex?: number }
}

/** Opens the server-side SDK of the reference API on the flags of the export instead of a stream. */
export async function openReference(library: unknown, exported: readonly unknown[]): Promise<OldEvaluator> {
  const read = readReferenceExport(exported)
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  const names = new Set(read.flags.flatMap(({ environments }) => Object.keys(environments ?? {})))
  const clients = new Map<string, ReferenceClient>()
  for (const name of names) clients.set(name, await clientOf(library as ReferenceLibrary, name, read))
  return {
    async evaluate({ environmentKey, from, context }) {
      const client = clients.get(environmentKey) as ReferenceClient
      const { value, variationIndex, reason } = await client.variationDetail(from, context, undefined)
      const why = reason.ruleIndex === undefined ? reason.kind : `${reason.kind} ${reason.ruleIndex}`
      return { value: typeof variationIndex === 'number' ? value : undefined, why }
    },
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}

async function clientOf(library: ReferenceLibrary, name: string, read: ReferenceExport) {
  const { client, data } = await openOfflineSdk(library)
  for (const segment of read.segments.filter(({ environmentKey }) => environmentKey === name)) {
    await data.usePreconfiguredSegment({ version: 1, salt: '', ...segment, rules: (segment.rules ?? []).map(withId) })
  }
  for (const flag of read.flags.filter(({ archived }) => archived !== true)) {
    const config = flag.environments?.[name]
    if (config) await data.usePreconfiguredFlag(sdkFlag(flag, config))
  }
  return client
}

/** Returns a flag of an environment as SDKs receive it. */
function sdkFlag({ key, variations }: ReferenceFlag, config: ReferenceConfig): object {
  return {
    key,
    version: 1,
    on: config.on,
    salt: config.salt ?? '',
    variations: variations.map(({ value }) => value),
    targets: config.targets ?? [],
    contextTargets: config.contextTargets ?? [],
    rules: config.rules.map(withId),
    fallthrough: config.fallthrough,
    offVariation: config.offVariation ?? null,
    prerequisites: config.prerequisites ?? [],
  }
}

function withId<Rule extends { readonly _id?: string | null | undefined }>({ _id, ...rule }: Rule) {
  return { ...rule, id: _id ?? '' }
}
