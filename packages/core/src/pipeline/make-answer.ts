import type { Caller } from '../operation/caller.ts'
import { ApiError } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { type Route, writes } from '../operation/table.ts'
import type { WireAnswer, WireRequest } from '../operation/wire.ts'
import { followedReads } from '../storage/followed-reads.ts'
import type { Freshness } from '../storage/freshness.ts'
import type { AdmittedCall } from './admitted-call.ts'
import { authorize, authorizeNamed, type DoorRules } from './authorize.ts'
import { type Decoded, decodeWire } from './decode.ts'
import { encode, encodeWhole } from './encode.ts'
import type { JsonWriter } from './json-writer.ts'
import { type RememberedAnswers, sentAgain } from './remembered-answers.ts'
import { type Outcome, run } from './run.ts'
import { type RunParts, seeing } from './run-parts.ts'

/** What the later doors need. */
export interface AnswerParts extends RunParts {
  readonly doorRules: DoorRules
  readonly write: JsonWriter
  readonly fresh: Freshness
  readonly answers: RememberedAnswers
}

/** A request before door 5. */
export interface AskedAnswer {
  readonly request: WireRequest
  readonly route: Route
  readonly caller: Caller
  readonly now: number
  readonly ifMatch: string | undefined
}

type Headers = Record<string, string>

/** What the caller was answered to the same request, if it is still so. */
export function recall({ answers }: AnswerParts, asked: AskedAnswer, headers: Headers): WireAnswer | undefined {
  const known = isRepeatable(asked) ? answers.find(asked.request, asked.caller, asked.now) : undefined
  return known && sentAgain(known, asked.request, headers)
}

/** Doors 5 to 8. An answer that holds for more than this call is remembered. */
export async function makeAnswer(parts: AnswerParts, asked: AskedAnswer, headers: Headers): Promise<WireAnswer> {
  const { request, route, caller } = asked
  const { operation } = route
  const trail = parts.answers.remembers && isRepeatable(asked) ? parts.fresh.begin() : undefined
  if (!trail) return encode(parts.write, operation, request, await outcomeOf(parts, asked), headers)
  try {
    const outcome = await outcomeOf(seeing(parts, followedReads(parts.documents.reads, trail)), asked)
    const answer = encodeWhole(parts.write, operation, outcome, {})
    parts.answers.keep(request, { caller, operation }, { outcome, answer }, trail)
    return sentAgain({ answer, etag: outcome.more ? undefined : outcome.etag }, request, headers)
  } catch (error) {
    trail.end()
    throw error
  }
}

function isRepeatable({ route, ifMatch }: AskedAnswer): boolean {
  return route.operation.method === 'GET' && ifMatch === undefined
}

async function outcomeOf(parts: AnswerParts, { request, route, caller, now, ifMatch }: AskedAnswer): Promise<Outcome> {
  const { operation, params } = route
  const granted = await atTheDoor(parts, operation, caller, params)
  const decoded = await decodeWire(parts.options, operation, request)
  const url = () => (request.query === '' ? request.path : `${request.path}?${request.query}`)
  return admit(parts, { operation, caller, params, url, now, ifMatch, granted }, decoded)
}

/** Door 5: the action by which the caller comes in, where the path alone tells. */
export function atTheDoor(
  parts: AnswerParts,
  operation: Operation,
  caller: Caller,
  params: AdmittedCall['params'],
): Promise<string | undefined> {
  return demanded(parts, operation, ({ authority, doorRules }) =>
    authorize(authority, doorRules, operation, caller, params),
  )
}

/** Doors 5 and 7, once it is known what the input says. */
export async function admit(parts: AnswerParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  const { operation, caller, params } = call
  const named = await demanded(parts, operation, ({ authority, doorRules }) =>
    authorizeNamed(authority, doorRules, operation, caller, params, decoded),
  )
  return run(parts, named === undefined ? call : { ...call, granted: named }, decoded)
}

/** Whoever is refused a change for what is remembered of a thing is refused for what storage says of it now. */
async function demanded(
  parts: AnswerParts,
  operation: Operation,
  demand: (parts: AnswerParts) => Promise<string> | undefined,
): Promise<string | undefined> {
  if (!parts.documents.remembers || !writes(operation.method)) return demand(parts)
  try {
    return await demand(parts)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return demand(seeing(parts, parts.storage))
  }
}
