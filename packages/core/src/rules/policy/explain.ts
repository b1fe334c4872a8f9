import { addressOf, type Resource, type ResourceLevel } from '../address.ts'
import {
  appliesTo,
  type CompiledSpecifier,
  type CompiledStatement,
  hasName,
  namesResource,
} from './compiled-statement.ts'
import { allowsSome, type Candidate, type CompiledPolicy, type Decision, decide } from './policy.ts'
import type { Qualifier } from './qualifier.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/** A decision with its explanation in words; statements are numbered from 1. */
export interface Explanation extends Decision {
  /** The deciding statement, then the near misses: "denied by statement 2 of role `ops`; would be allowed if …". */
  readonly text: string
  /** Changes that would allow the action, smallest first, at most three; empty if it is allowed. */
  readonly nearMisses: readonly string[]
  /** True when the action is allowed on some of the resources that a `*` in the address represents. */
  readonly allowedForSome: boolean
}

interface NearMiss {
  readonly sentence: string
  /** Number of differences. */
  readonly distance: number
}

const MAX_NEAR_MISSES = 3

/**
 * Cost of another name. It exceeds any number of missing attributes, because a tag can be added, but the key of a
 * resource cannot be changed.
 */
const OTHER_NAME = 1000

/** A request, and the policies that decide it. */
interface ExplainedRequest {
  readonly policy: CompiledPolicy
  /**
   * All policies that must allow the action, when there are several: the statement that is reported as missing is
   * sufficient for each of them. Default: this policy alone.
   */
  readonly layers?: readonly CompiledPolicy[] | undefined
  readonly action: string
  readonly resource: Resource
}

type LayeredRequest = Required<ExplainedRequest>

/**
 * Decides as {@link decide} does and explains the decision to authors of policies.
 *
 * Reads all statements that name the action, so it is for consoles and error messages and not for every request. It
 * names statements of the caller's own roles only.
 *
 * @param vocabulary contains the noun of each kind.
 */
export function explain(
  { policy, layers = [policy], action, resource }: ExplainedRequest,
  vocabulary: PolicyVocabulary,
): Explanation {
  const request = { policy, layers, action, resource }
  const decision = decide(policy, action, resource)
  const misses = decision.allowed ? [] : nearMisses(request, vocabulary)
  const text = [summaryOf(request, decision, vocabulary), ...misses].join('; ')
  const allowedForSome = decision.allowed || allowsSome(policy, action, resource)
  return { ...decision, text, nearMisses: misses, allowedForSome }
}

function summaryOf(request: LayeredRequest, decision: Decision, vocabulary: PolicyVocabulary): string {
  const { policy, action, resource } = request
  const target = `\`${action}\` on \`${addressOf(resource)}\``
  if (decision.allowed) return `${statementName(decision)} allows ${target}`
  if (decision.statement) return `denied by ${statementName(decision)}${partialDenyNote(request, decision, vocabulary)}`
  const statements = policy.roles.flatMap((role) => role.statements)
  const isActionAllowed = statements.some(
    (statement) => statement.effect === 'allow' && statement.matchesAction(action),
  )
  return `no role allows ${isActionAllowed ? target : `\`${action}\``}`
}

/**
 * Explains a deny that matches only some of the resources that `*` represents. It is the only denial that the text of
 * the statement alone does not explain.
 */
function partialDenyNote(
  { policy, action, resource }: LayeredRequest,
  decision: Decision,
  { nounOf }: PolicyVocabulary,
): string {
  const wildcardLevel = resource.find((level) => level.key === '*')
  const denies = policy.candidates(action, resource).flatMap((role) => role.denies)
  const deny = denies.find(({ statement }) => statement.decision === decision)
  if (!wildcardLevel || !deny || deny.statement.negated) return ''
  if (deny.specifiers.some((specifier) => namesResource(specifier, resource, 'all'))) return ''
  return `, which denies it in some ${nounOf(wildcardLevel.kind)}, and the request is about all of them`
}

function nearMisses(request: LayeredRequest, vocabulary: PolicyVocabulary): string[] {
  const { policy, action, resource } = request
  const misses = policy
    .candidates(action, resource)
    .flatMap((role) => role.allows)
    .filter(({ statement }) => !statement.negated)
    .flatMap((candidate) => missesOf(candidate, request, vocabulary))
    .sort((a, b) => a.distance - b.distance)
  return [...new Set(misses.map((miss) => miss.sentence))].slice(0, MAX_NEAR_MISSES)
}

function missesOf(candidate: Candidate, request: LayeredRequest, vocabulary: PolicyVocabulary): NearMiss[] {
  const { resource } = request
  if (appliesTo(candidate.statement, candidate.specifiers, resource)) return []
  return candidate.specifiers.flatMap((specifier) =>
    specifier.tests.every((test) => hasName(test, resource[test.at] as ResourceLevel))
      ? missingAttributes(specifier, request, vocabulary)
      : [otherName(candidate.statement, specifier)],
  )
}

function otherName({ decision }: CompiledStatement, specifier: CompiledSpecifier): NearMiss {
  return { sentence: `${statementName(decision)} allows it for \`${specifier.source}\``, distance: OTHER_NAME }
}

/** Returns the missing attributes, but only if granting them changes the decision: a deny may still apply. */
function missingAttributes(
  specifier: CompiledSpecifier,
  { layers, action, resource }: LayeredRequest,
  vocabulary: PolicyVocabulary,
): NearMiss[] {
  const granted = [...resource]
  const requirements: string[] = []
  let distance = 0
  for (const { at: levelIndex, qualifiers } of specifier.tests) {
    const missing = qualifiers.filter((qualifier) => !qualifier.matches(resource[levelIndex] as ResourceLevel))
    if (missing.length === 0) continue
    granted[levelIndex] = grantAll(missing, granted[levelIndex] as ResourceLevel)
    requirements.push(requirementOf(missing, resource[levelIndex] as ResourceLevel, vocabulary))
    distance += missing.length
  }
  if (!layers.every((layer) => decide(layer, action, granted).allowed)) return []
  return [{ sentence: `would be allowed if ${requirements.join(' and ')}`, distance }]
}

function grantAll(qualifiers: readonly Qualifier[], level: ResourceLevel): ResourceLevel {
  return qualifiers.reduce((granted, qualifier) => qualifier.grant(granted), level)
}

function requirementOf(
  missing: readonly Qualifier[],
  { kind, key }: ResourceLevel,
  { nounOf }: PolicyVocabulary,
): string {
  const subject = key === '*' ? `every ${nounOf(kind)}` : `${nounOf(kind)} \`${key}\``
  return `${subject} had ${missing.map((qualifier) => qualifier.requirement).join(' and ')}`
}

function statementName({ index, role }: Decision): string {
  return `statement ${(index ?? 0) + 1} of role \`${role}\``
}
