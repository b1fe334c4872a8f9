import type { EvaluationContext } from '@halyard/core/evaluation'
import type { OldAnswer, OldEvaluator, OldEvaluatorMaker } from '../flag-format.ts'
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
export const flagsmithEvaluator: OldEvaluatorMaker = {
  package: 'flagsmith-nodejs',
  async open(library, values, options): Promise<OldEvaluator> {
    const read = readDocuments(values, options)
    if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
    const documents = new Map(read.documents.map((one) => [one.environmentKey, one.document]))
    const told = new Map(
      featuresIn(read.documents).map((one) => [one.name, valuesOfFeature(one.places.flatMap(statesAt))]),
    )
    const asked = new Map<string, Asked>()
    return {
      async evaluate({ environmentKey, from, context }) {
        const document = documents.get(environmentKey)
        const values = told.get(from)
        if (!document || !values) return { value: undefined, why: 'no such feature' }
        const place = `${environmentKey} ${from}`
        const one = asked.get(place) ?? openFeature(library as FlagsmithLibrary, document, from)
        asked.set(place, one)
        try {
          return answerOf(await one.flagsFor(context), values, from)
        } catch (error) {
          return { value: undefined, why: `the evaluator failed: ${(error as Error).message}` }
        }
      },
      async close() {
        for (const { client } of asked.values()) await client.close()
      },
    }
  },
}

interface Asked {
  readonly client: FlagsmithClient
  flagsFor(context: EvaluationContext): Promise<FlagsmithFlags>
}

/** Returns the value as the imported flag has it: a feature that is off has the value of the off variation. */
function answerOf(flags: FlagsmithFlags, values: ValuesOfFeature, name: string): OldAnswer {
  const { enabled, value } = flags.getFlag(name)
  const why = enabled ? `on, ${JSON.stringify(value)}` : 'off'
  return { value: values.variations[values.indexOf(enabled, value)]?.value, why }
}

/** A client evaluates all features for each request, so each feature has a client of its own. */
function openFeature({ Flagsmith }: FlagsmithLibrary, document: FlagsmithDocument, name: string): Asked {
  const body = JSON.stringify(withOnly(document, name))
  const client = new Flagsmith({
    environmentKey: 'ser.import',
    enableLocalEvaluation: true,
    enableAnalytics: false,
    // The client refreshes while it is open, and no client is open for this many seconds.
    environmentRefreshIntervalSeconds: 86_400,
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    logger: silent,
  })
  const overridden = new Set((document.identity_overrides ?? []).map(({ identifier }) => identifier))
  async function flagsFor({ kind: _kind, key, ...traits }: EvaluationContext) {
    // The client keeps the traits that it learns of such an identity for the next request.
    if (overridden.has(String(key))) await client.updateEnvironment()
    return client.getIdentityFlags(String(key), traits)
  }
  return { client, flagsFor }
}

/** Returns the document with one feature, completed with everything that the client requires. */
function withOnly(document: FlagsmithDocument, name: string): FlagsmithDocument {
  const isIts = ({ feature }: FlagsmithState) => feature.name === name
  const segments = (document.project.segments ?? []).map((one) => ({
    ...one,
    rules: one.rules.map(wholeRule),
    feature_states: (one.feature_states ?? []).filter(isIts),
  }))
  const identities = (document.identity_overrides ?? []).map((one) => ({
    ...one,
    identity_features: (one.identity_features ?? []).filter(isIts),
    identity_traits: one.identity_traits ?? [],
  }))
  return {
    ...document,
    project: {
      organisation,
      ...document.project,
      segments: segments.filter((one) => one.feature_states.length > 0),
    },
    feature_states: document.feature_states.filter(isIts),
    identity_overrides: identities.filter((one) => one.identity_features.length > 0),
  }
}

const organisation = { id: 1, name: 'import' }

function wholeRule({ type, conditions, rules }: FlagsmithRule): FlagsmithRule {
  return { type, conditions: conditions ?? [], rules: (rules ?? []).map(wholeRule) }
}

const nothing = () => undefined
const silent = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing, fatal: nothing }
