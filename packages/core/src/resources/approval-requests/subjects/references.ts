import type { ApprovalPlace } from '../../../models/approval-requests/approval-request.ts'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { defaultConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { namedBy, segments } from '../../../models/segments/segment.ts'
import { type Clause, segmentsNamed } from '../../../rules/targeting/clause.ts'
import type { Rule } from '../../../rules/targeting/rule.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import { flagsNamed } from '../../flags/instructions/prerequisites.ts'

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
  const { clauses = [], clause, rules: replacing = [] } = instruction
  const named = [...clauses, ...(clause ? [clause] : []), ...replacing.flatMap((rule) => rule.clauses)]
  const segmentKeys = [...segmentsNamed(named), ...addedTo(instruction, rules)]
  return [
    ...segmentKeys.map((key): Reference => `segment ${key}`),
    ...flagsNamed(instruction).map((key): Reference => `flag ${key}`),
  ]
}

/** Returns the segments that an instruction adds to a clause about segments. */
function addedTo({ kind, ruleId, clauseId, values = [] }: ReferringInstruction, rules: readonly Rule[]): string[] {
  if (kind !== 'addValuesToClause') return []
  const clause = rules.find(({ _id }) => _id === ruleId)?.clauses.find(({ _id }) => _id === clauseId)
  return clause?.op === 'segmentMatch' ? values.map(String) : []
}

/** Maximum number of references that are followed. Beyond it, everything counts as unchanged. */
const mostFollowed = 1_000

/**
 * Returns the state of a flag or segment in an environment, and of everything that it refers to, directly or
 * indirectly.
 *
 * @param writer requires that each document that was read is unchanged at the commit; default: no requirement.
 */
export async function referenced(
  tx: Reader,
  place: ApprovalPlace,
  reference: Reference,
  hold?: Hold,
): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {}
  for (let level: readonly Reference[] = [reference]; level.length > 0; ) {
    const looked = await Promise.all(level.map((one) => look(tx, place, one, hold)))
    for (const [at, one] of level.entries()) found[one] = looked[at]?.value ?? null
    if (Object.keys(found).length > mostFollowed) break
    const next = looked.flatMap((one) => one?.refersTo ?? [])
    level = [...new Set(next)].filter((one) => !Object.hasOwn(found, one))
  }
  return found
}

/** Requires documents to be unchanged at the commit. */
export type Hold = Pick<Writer, 'expect'>

interface Looked {
  readonly value: unknown
  readonly refersTo: readonly Reference[]
}

async function look(
  tx: Reader,
  { projectKey, environmentKey }: ApprovalPlace,
  reference: Reference,
  hold: Hold | undefined,
): Promise<Looked | undefined> {
  const [kind, key = ''] = reference.split(' ')
  const place = { projectKey, environmentKey, flagKey: key, segmentKey: key }
  if (kind === 'segment') {
    const segment = await tx.get(segments, place)
    if (!segment) return undefined
    hold?.expect(segments, place, segment)
    const { included, excluded, includedContexts, excludedContexts, rules, bigIncluded, bigExcluded } = segment
    return {
      value: [included, excluded, includedContexts, excludedContexts, rules, bigIncluded, bigExcluded],
      refersTo: namedBy(rules).map((one): Reference => `segment ${one}`),
    }
  }
  const [flag, environment, stored] = await Promise.all([
    tx.get(flags, place),
    tx.get(environments, place),
    tx.get(flagConfigs, place),
  ])
  if (!flag || !environment) return undefined
  // The version of a flag changes with each of its configurations.
  hold?.expect(flags, place, flag)
  const { version: _, lastModified: __, ...serves } = stored ?? defaultConfig(flag, environment)
  return {
    value: [flag.variations.map(({ _id, value }) => [_id, value]), flag.archived, serves],
    refersTo: [
      ...namedBy(serves.rules).map((one): Reference => `segment ${one}`),
      ...serves.prerequisites.map((one): Reference => `flag ${one.key}`),
    ],
  }
}

export function isReference(name: string): name is Reference {
  return name.includes(' ')
}
