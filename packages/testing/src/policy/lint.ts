import {
  actionsOf,
  compilePolicy,
  compileRole,
  decide,
  type Resource,
  resourceShapes,
  type Specifier,
  type Statement,
} from '@halyard/core/policy'
import { type PolicySource, rolesOf } from './policy-source.ts'
import { specifierContains } from './specifier-containment.ts'
import { actionsAt, type StatementScope, scopesOf, speaksOfAll } from './statement-scope.ts'

/**
 * - `never-wins`: an allow that denies of the same policy cover completely.
 * - `repeats`: a statement, or an entry of its lists, that other statements or entries already include.
 * - `matches-nothing`: an action that does not exist, or not for the listed resources; a specifier that matches none of
 *   the existing resources, because it is misspelled or the resource does not exist yet.
 * - `wide-wildcard`: a wildcard that includes other entries of its list, so the list looks narrower than it is.
 * - `tag-widens`: a permission that depends on a tag, and therefore on the callers that may change tags.
 */
export type LintRule = 'never-wins' | 'repeats' | 'matches-nothing' | 'wide-wildcard' | 'tag-widens'

/** A part of a policy that is probably a mistake. */
export interface LintFinding {
  readonly rule: LintRule
  /** Index of the statement in its policy, from 0. */
  readonly index: number
  /** One sentence. It counts other statements from 1, as explanations do. */
  readonly message: string
}

/** Known facts about the account of a policy. */
export interface LintOptions {
  /**
   * All existing resources with their tags, properties and views, e.g. from `resourcesOf(engine)`. Default: unknown,
   * and not checked.
   */
  readonly world?: readonly Resource[]
}

/** A statement with its compiled scope. */
interface Examined extends StatementScope {
  readonly statement: Statement
}

/**
 * Finds what in a policy is dead, doubled, misspelt or wider than it looks (D15).
 *
 * What it calls dead is dead: a statement with `never-wins` or `repeats` can be taken out, and so can all of them,
 * without changing one decision. Not everything that is dead is found.
 *
 * @param source one policy.
 * @returns in the order of the statements; empty when there is nothing to say.
 * @throws TypeError when a statement is not well-formed.
 *
 * @example
 * ```ts
 * import { lintPolicy } from '@halyard/testing'
 *
 * const [finding] = lintPolicy([{ effect: 'allow', resources: ['proj/web'], actions: ['updateNam'] }])
 * console.log(finding?.rule) // matches-nothing
 * ```
 */
export function lintPolicy(source: PolicySource, { world }: LintOptions = {}): LintFinding[] {
  const statements = rolesOf(source).flatMap((role) => role.statements)
  const all = scopesOf(statements).map((scope) => ({ ...scope, statement: statements[scope.index] as Statement }))
  const dead = all.flatMap((one) => neverWins(one, all))
  const findings = [
    ...dead,
    ...repeats(all.filter(({ index }) => !dead.some((finding) => finding.index === index))),
    ...all.flatMap((one) => [
      ...doubledEntries(one),
      ...missingActions(one),
      ...idleSpecifiers(one),
      ...(world ? absentResources(one, world) : []),
      ...wideActions(one),
      ...wideSpecifiers(one),
      ...tagRights(one),
    ]),
  ]
  return findings.sort((a, b) => a.index - b.index)
}

function neverWins({ index, effect, pieces }: Examined, all: readonly Examined[]): LintFinding[] {
  if (effect === 'deny') return []
  const denies = all.filter((one) => one.effect === 'deny')
  const cover = coverOf(pieces, denies)
  return cover ? [{ rule: 'never-wins', index, message: `allows nothing that ${listed(cover)} does not deny` }] : []
}

/**
 * Goes from the last statement to the first, so that the later one of two equal statements is reported, and never both.
 */
function repeats(all: readonly Examined[]): LintFinding[] {
  const kept = new Set(all)
  return all.toReversed().flatMap((one) => {
    kept.delete(one)
    const others = [...kept].filter(({ effect }) => effect === one.effect)
    const cover = coverOf(one.pieces, others)
    if (!cover) kept.add(one)
    const message = cover && `says nothing that ${listed(cover)} does not say`
    return message ? [{ rule: 'repeats', index: one.index, message }] : []
  })
}

/**
 * Returns the indexes of statements that together cover all pieces; undefined when there are none. A statement without
 * pieces is not covered.
 */
function coverOf(pieces: Examined['pieces'], statements: readonly Examined[]): ReadonlySet<number> | undefined {
  const cover = new Set<number>()
  for (const piece of pieces) {
    const found = statements.find((one) => speaksOfAll(one, piece))
    if (!found) return undefined
    cover.add(found.index)
  }
  return cover.size > 0 ? cover : undefined
}

function doubledEntries({ index, statement }: Examined): LintFinding[] {
  return Object.entries(listsOf(statement)).flatMap(([name, list]) =>
    [...new Set(list.filter((entry, at) => list.indexOf(entry) < at))].map((entry) => ({
      rule: 'repeats' as const,
      index,
      message: `\`${entry}\` occurs more than once in \`${name}\``,
    })),
  )
}

const allActions: readonly string[] = [
  ...new Set(resourceShapes.flatMap((shape) => actionsOf(shape.split(':').at(-1) ?? ''))),
]

function missingActions({ index, negated, specifiers, statement }: Examined): LintFinding[] {
  const beside = negated ? allActions : specifiers.flatMap(actionsAt)
  return [...new Set(actionEntries(statement))].flatMap((entry) => {
    if (namedBy(entry, beside).length > 0) return []
    const kinds = [...new Set(specifiers.map(({ levels }) => levels.at(-1)?.kind))].join(' or ')
    const known = namedBy(entry, allActions).length > 0
    const message = `\`${entry}\` is not an action${known ? ` of ${kinds}` : ''}, so it never applies`
    return [{ rule: 'matches-nothing', index, message }]
  })
}

/** Checks only statements with an existing action. For others, each action is reported. */
function idleSpecifiers({ index, negated, specifiers, pieces }: Examined): LintFinding[] {
  if (negated || pieces.length === 0) return []
  const used = new Set(pieces.map(({ specifier }) => specifier))
  return specifiers
    .filter((one) => !used.has(one))
    .map(({ source }) => ({
      rule: 'matches-nothing',
      index,
      message: `no action of the statement applies to \`${source}\``,
    }))
}

/** Accepts specifiers with a placeholder, because its value is unknown here. */
function absentResources({ index, statement }: Examined, world: readonly Resource[]): LintFinding[] {
  return resourceEntries(statement)
    .filter((entry) => !entry.includes('${') && !namesAny(entry, world))
    .map((entry) => ({ rule: 'matches-nothing', index, message: `\`${entry}\` names nothing that exists` }))
}

/**
 * Uses a deny, which matches a resource with the key `*` as soon as it matches one of the resources that `*`
 * represents.
 */
function namesAny(entry: string, world: readonly Resource[]): boolean {
  const deny: Statement = { effect: 'deny', resources: [entry], actions: ['*'] }
  const policy = compilePolicy([compileRole({ name: 'lint', statements: [deny] })])
  return world.some((resource) => decide(policy, 'any', resource).statement !== undefined)
}

function wideActions({ index, statement }: Examined): LintFinding[] {
  const entries = [...new Set(actionEntries(statement))]
  return entries
    .filter((entry) => entry.includes('*'))
    .flatMap((wide) => {
      const taken = namedBy(wide, allActions)
      const inside = (entry: string) => {
        const named = namedBy(entry, allActions)
        return named.length > 0 && named.length < taken.length && named.every((action) => taken.includes(action))
      }
      return wideFinding(index, wide, entries.filter(inside))
    })
}

function wideSpecifiers({ index, specifiers }: Examined): LintFinding[] {
  return specifiers.flatMap((wide) => {
    const inside = specifiers.filter((one) => specifierContains(wide, one) && !specifierContains(one, wide))
    return wideFinding(
      index,
      wide.source,
      inside.map((one) => one.source),
    )
  })
}

function wideFinding(index: number, wide: string, inside: readonly string[]): LintFinding[] {
  if (inside.length === 0) return []
  const siblings = [...new Set(inside)].map((entry) => `\`${entry}\``).join(', ')
  return [{ rule: 'wide-wildcard', index, message: `\`${wide}\` includes ${siblings} in the same list, and more` }]
}

/** Where the tag grants permission, callers can add it; where it denies, they can remove it. */
function tagRights({ index, effect, negated, specifiers }: Examined): LintFinding[] {
  const gives = (effect === 'allow') !== negated
  return taggedKinds(specifiers).map((kind) => {
    const action = actionsOf(kind).find((one) => one.endsWith('Tags'))
    const who = action ? `a caller that may \`${action}\` there` : 'a caller that may change its tags'
    const how = gives ? 'gains the permission by adding the tag' : 'avoids the denial by removing the tag'
    return { rule: 'tag-widens', index, message: `depends on a tag of ${kind}: ${who} ${how}` }
  })
}

function taggedKinds(specifiers: readonly Specifier[]): string[] {
  const tagged = specifiers.flatMap(({ levels }) => levels.filter(({ tags }) => tags.length > 0))
  return [...new Set(tagged.map(({ kind }) => kind))]
}

/** Returns the actions of a list that an entry matches. */
function namedBy(entry: string, actions: readonly string[]): string[] {
  const [one] = scopesOf([{ effect: 'allow', resources: ['acct'], actions: [entry] }])
  return actions.filter((action) => one?.namesAction(action))
}

function listsOf({ resources = [], notResources = [], actions = [], notActions = [] }: Statement) {
  return { resources, notResources, actions, notActions }
}

function actionEntries(statement: Statement): readonly string[] {
  const { actions, notActions } = listsOf(statement)
  return [...actions, ...notActions]
}

function resourceEntries(statement: Statement): readonly string[] {
  const { resources, notResources } = listsOf(statement)
  return [...resources, ...notResources]
}

function listed(indexes: ReadonlySet<number>): string {
  const numbers = [...indexes].sort((a, b) => a - b).map((index) => index + 1)
  return numbers.length === 1 ? `statement ${numbers[0]}` : `one of statements ${numbers.join(', ')}`
}
