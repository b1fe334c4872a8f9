import type { EvaluationContext } from '@halyard/core/evaluation'
import type { EvaluationOutcome, OldEvaluator, OldEvaluatorFactory } from '../flag-format.ts'
import type { FlagsmithDocument, FlagsmithRule, FlagsmithState, FlagsmithValue } from './document.ts'
import { readDocuments } from './documents.ts'
import { featuresIn, statesAt } from './features.ts'
import { type ValuesOfFeature, valuesOfFeature } from './values.ts'

/** The part of the package that is used. */
interface FlagsmithLibrary {
  readonly Flagsmith: new (options: object) => FlagsmithClient
}

interface FlagsmithClient {
  updateEnvironment(): Promise<void>
  getIdentityFlags(identifier: string, traits: object): Promise<FlagsmithFlags>
  close(): Promise<void>
}

interface FlagsmithFlags {
  getFlag(name: string): { readonly enabled: boolean; readonly value: FlagsmithValue }
}

/** The local evaluation of Flagsmith's SDK for Node. */
export const flagsmithEvaluator: OldEvaluatorFactory = {
  package: 'flagsmith-nodejs',
  async open(library, values, options): Promise<OldEvaluator> {
    const read = readDocuments(values, options)
    if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
    const documents = new Map(read.documents.map((item) => [item.environmentKey, item.document]))
    const valuesByFeature = new Map(
      featuresIn(read.documents).map((item) => [item.name, valuesOfFeature(item.environments.flatMap(statesAt))]),
    )
    const openFeatures = new Map<string, OpenFeature>()
    return {
      async evaluate({ environmentKey, from, context }) {
        const document = documents.get(environmentKey)
        const values = valuesByFeature.get(from)
        if (!document || !values) return { value: undefined, why: 'no such feature' }
        const featureId = `${environmentKey} ${from}`
        const item = openFeatures.get(featureId) ?? openFeature(library as FlagsmithLibrary, document, from)
        openFeatures.set(featureId, item)
        try {
          return outcomeOf(await item.flagsFor(context), values, from)
        } catch (error) {
          return { value: undefined, why: `the evaluator failed: ${(error as Error).message}` }
        }
      },
      async close() {
        for (const { client } of openFeatures.values()) await client.close()
      },
    }
  },
}

interface OpenFeature {
  readonly client: FlagsmithClient
  flagsFor(context: EvaluationContext): Promise<FlagsmithFlags>
}

/** Returns the value in the form of the imported flag: a feature that is off has the value of the off variation. */
function outcomeOf(flags: FlagsmithFlags, values: ValuesOfFeature, name: string): EvaluationOutcome {
  const { enabled, value } = flags.getFlag(name)
  const why = enabled ? `on, ${JSON.stringify(value)}` : 'off'
  return { value: values.variations[values.indexOf(enabled, value)]?.value, why }
}

/** Makes a client that evaluates only one feature, because a client evaluates all of its features for each request. */
function openFeature({ Flagsmith }: FlagsmithLibrary, document: FlagsmithDocument, name: string): OpenFeature {
  const body = JSON.stringify(withOnly(document, name))
  const client = new Flagsmith({
    environmentKey: 'ser.import',
    enableLocalEvaluation: true,
    enableAnalytics: false,
    // The client refreshes while it is open, and no client stays open for this many seconds.
    environmentRefreshIntervalSeconds: 86_400,
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    logger: silentLogger,
  })
  const overridden = new Set((document.identity_overrides ?? []).map(({ identifier }) => identifier))
  async function flagsFor({ kind: _kind, key, ...traits }: EvaluationContext) {
    // The client stores the traits of an identity that has overrides, and would use them for the next request.
    if (overridden.has(String(key))) await client.updateEnvironment()
    return client.getIdentityFlags(String(key), traits)
  }
  return { client, flagsFor }
}

/** Returns the document with one feature, completed with everything that the client requires. */
function withOnly(document: FlagsmithDocument, name: string): FlagsmithDocument {
  const isOfFeature = ({ feature }: FlagsmithState) => feature.name === name
  const segments = (document.project.segments ?? []).map((item) => ({
    ...item,
    rules: item.rules.map(completeRule),
    feature_states: (item.feature_states ?? []).filter(isOfFeature),
  }))
  const identities = (document.identity_overrides ?? []).map((item) => ({
    ...item,
    identity_features: (item.identity_features ?? []).filter(isOfFeature),
    identity_traits: item.identity_traits ?? [],
  }))
  return {
    ...document,
    project: {
      organisation,
      ...document.project,
      segments: segments.filter((item) => item.feature_states.length > 0),
    },
    feature_states: document.feature_states.filter(isOfFeature),
    identity_overrides: identities.filter((item) => item.identity_features.length > 0),
  }
}

const organisation = { id: 1, name: 'import' }

function completeRule({ type, conditions, rules }: FlagsmithRule): FlagsmithRule {
  return { type, conditions: conditions ?? [], rules: (rules ?? []).map(completeRule) }
}

const noop = () => undefined
const silentLogger = { error: noop, warn: noop, info: noop, debug: noop, trace: noop, fatal: noop }
