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

/** A flag or segment of the environment, as `flag checkout`; no member of anything has a space in its name. */
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
 * What an instruction brings into play: whoever approves a rule for a segment approves it for those who are in it then.
 *
 * @param rules those that there are, which an instruction can extend.
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

/** Segments that come to a clause which asks for some already. */
function addedTo({ kind, ruleId, clauseId, values = [] }: ReferringInstruction, rules: readonly Rule[]): string[] {
  if (kind !== 'addValuesToClause') return []
  const clause = rules.find(({ _id }) => _id === ruleId)?.clauses.find(({ _id }) => _id === clauseId)
  return clause?.op === 'segmentMatch' ? values.map(String) : []
}

/** Things that are followed; beyond that, everything counts as the same. */
const mostFollowed = 1_000

/**
 * What a flag or segment decides in an environment, and all that it refers to in turn.
 *
 * @param hold expects each thing that was looked at to stay the same; default: nobody.
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

/** Whoever makes the call fail unless what was looked at is the same when it commits. */
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
  // A flag moves with each of its configurations.
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
