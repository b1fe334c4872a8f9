import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { defaultConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { referencedSegments, segments } from '../../../models/segments/segment.ts'
import { type Clause, segmentKeysInClauses } from '../../../rules/targeting/clause.ts'
import type { Rule } from '../../../rules/targeting/rule.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import { referencedFlags } from '../../flags/instructions/prerequisites.ts'

/** A flag or segment of the environment, such as `flag checkout`. No property name contains a space. */
type Reference = `${'flag' | 'segment'} ${string}`

interface ReferringInstruction {
  readonly kind: string
  readonly clauses?: readonly Clause[]
  readonly clause?: Clause
  readonly rules?: readonly Rule[]
  readonly ruleId?: string
  readonly clauseId?: string
  readonly values?: readonly unknown[]
}

/**
 * Returns the flags and segments that an instruction refers to. The approval of a rule about a segment applies to the
 * current members of the segment only.
 *
 * @param rules the current rules, which an instruction can extend.
 */
export function referencesIn(instruction: ReferringInstruction, rules: readonly Rule[]): readonly Reference[] {
  const { clauses = [], clause, rules: newRules = [] } = instruction
  const allClauses = [...clauses, ...(clause ? [clause] : []), ...newRules.flatMap((rule) => rule.clauses)]
  const segmentKeys = [...segmentKeysInClauses(allClauses), ...addedSegments(instruction, rules)]
  return [
    ...segmentKeys.map((key): Reference => `segment ${key}`),
    ...referencedFlags(instruction).map((key): Reference => `flag ${key}`),
  ]
}

/** Returns the segments that an instruction adds to a clause about segments. */
function addedSegments(
  { kind, ruleId, clauseId, values = [] }: ReferringInstruction,
  rules: readonly Rule[],
): string[] {
  if (kind !== 'addValuesToClause') return []
  const clause = rules.find(({ _id }) => _id === ruleId)?.clauses.find(({ _id }) => _id === clauseId)
  return clause?.op === 'segmentMatch' ? values.map(String) : []
}

/** Maximum number of references that are followed. Beyond it, everything counts as unchanged. */
const maxReferences = 1_000

/** A reference, and the resource that contains it. */
export interface LocatedReference {
  readonly resourceRef: ResourceRef
  readonly reference: Reference
}

/**
 * Returns the state of a flag or segment in an environment, and of everything that it refers to, directly or
 * indirectly.
 *
 * @param writer requires that each document that was read is unchanged at the commit; default: no requirement.
 */
export async function readReferences(
  tx: Reader,
  { resourceRef, reference }: LocatedReference,
  writer?: ExpectingWriter,
): Promise<Readonly<Record<string, unknown>>> {
  const stateByReference: Record<string, unknown> = {}
  for (let level: readonly Reference[] = [reference]; level.length > 0; ) {
    const states = await Promise.all(level.map((item) => readReference(tx, { resourceRef, reference: item }, writer)))
    for (const [index, item] of level.entries()) stateByReference[item] = states[index]?.value ?? null
    if (Object.keys(stateByReference).length > maxReferences) break
    const next = states.flatMap((item) => item?.refersTo ?? [])
    level = [...new Set(next)].filter((item) => !Object.hasOwn(stateByReference, item))
  }
  return stateByReference
}

/** Requires documents to be unchanged at the commit. */
export type ExpectingWriter = Pick<Writer, 'expect'>

interface ReferencedState {
  readonly value: unknown
  readonly refersTo: readonly Reference[]
}

async function readReference(
  tx: Reader,
  { resourceRef: { projectKey, environmentKey = '' }, reference }: LocatedReference,
  writer: ExpectingWriter | undefined,
): Promise<ReferencedState | undefined> {
  const [kind, key = ''] = reference.split(' ')
  const keys = { projectKey, environmentKey, flagKey: key, segmentKey: key }
  if (kind === 'segment') {
    const segment = await tx.get(segments, keys)
    if (!segment) return undefined
    writer?.expect(segments, keys, segment)
    const { included, excluded, includedContexts, excludedContexts, rules, bigIncluded, bigExcluded } = segment
    return {
      value: [included, excluded, includedContexts, excludedContexts, rules, bigIncluded, bigExcluded],
      refersTo: referencedSegments(rules).map((item): Reference => `segment ${item}`),
    }
  }
  const [flag, environment, stored] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  if (!flag || !environment) return undefined
  // The version of a flag changes with each of its configurations.
  writer?.expect(flags, keys, flag)
  const { version: _, lastModified: __, ...serving } = stored ?? defaultConfig(flag, environment)
  return {
    value: [flag.variations.map(({ _id, value }) => [_id, value]), flag.archived, serving],
    refersTo: [
      ...referencedSegments(serving.rules).map((item): Reference => `segment ${item}`),
      ...serving.prerequisites.map((item): Reference => `flag ${item.key}`),
    ],
  }
}

export function isReference(name: string): name is Reference {
  return name.includes(' ')
}
