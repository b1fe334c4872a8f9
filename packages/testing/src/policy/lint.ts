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
import { actionsOfSpecifier, coversPiece, type StatementScope, scopesOf } from './statement-scope.ts'

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
  /** One sentence. It refers to other statements by number, and the first is 1. */
  readonly message: string
}

/** Known facts about the account of a policy. */
export interface LintOptions {
  /**
   * All existing resources with their tags, properties and views, e.g. from `resourcesOf(engine)`. Default: unknown,
   * and not checked.
   */
  readonly allResources?: readonly Resource[]
}

/** A statement with its compiled scope. */
interface LintedStatement extends StatementScope {
  readonly statement: Statement
}

/**
 * Finds statements and entries of a policy that have no effect, are duplicated, misspelled, or apply to more than they
 * seem to (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 *
 * A statement with `never-wins` or `repeats` can be removed, and so can all of them together, without changing any
 * decision. The lint does not find every statement without effect.
 *
 * @param source one policy.
 * @returns in the order of the statements; empty when there is no finding.
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
export function lintPolicy(source: PolicySource, { allResources }: LintOptions = {}): LintFinding[] {
  const statements = rolesOf(source).flatMap((role) => role.statements)
  const examinedStatements = scopesOf(statements).map((scope) => ({
    ...scope,
    statement: statements[scope.index] as Statement,
  }))
  const neverWinning = examinedStatements.flatMap((examined) => neverWins(examined, examinedStatements))
  const findings = [
    ...neverWinning,
    ...repeats(examinedStatements.filter(({ index }) => !neverWinning.some((finding) => finding.index === index))),
    ...examinedStatements.flatMap((examined) => [
      ...repeatedEntries(examined),
      ...missingActions(examined),
      ...unusedSpecifiers(examined),
      ...(allResources ? missingResources(examined, allResources) : []),
      ...wideActions(examined),
      ...wideSpecifiers(examined),
      ...tagRights(examined),
    ]),
  ]
  return findings.sort((a, b) => a.index - b.index)
}

function neverWins({ index, effect, pieces }: LintedStatement, all: readonly LintedStatement[]): LintFinding[] {
  if (effect === 'deny') return []
  const denies = all.filter((candidate) => candidate.effect === 'deny')
  const coveringIndexes = findCoveringStatements(pieces, denies)
  if (!coveringIndexes) return []
  const message = `${statementsThat(coveringIndexes, ['denies', 'deny'])} everything that this statement allows`
  return [{ rule: 'never-wins', index, message }]
}

/**
 * Goes from the last statement to the first, so that the later one of two equal statements is reported, and never both.
 */
function repeats(all: readonly LintedStatement[]): LintFinding[] {
  const remaining = new Set(all)
  return all.toReversed().flatMap((examined) => {
    remaining.delete(examined)
    const others = [...remaining].filter(({ effect }) => effect === examined.effect)
    const coveringIndexes = findCoveringStatements(examined.pieces, others)
    if (!coveringIndexes) {
      remaining.add(examined)
      return []
    }
    const message = `${statementsThat(coveringIndexes, ['covers', 'cover'])} everything that this statement covers`
    return [{ rule: 'repeats', index: examined.index, message }]
  })
}

/**
 * Returns the indexes of statements that together cover all pieces; undefined when there are none. A statement without
 * pieces is not covered.
 */
function findCoveringStatements(
  pieces: LintedStatement['pieces'],
  statements: readonly LintedStatement[],
): ReadonlySet<number> | undefined {
  const coveringIndexes = new Set<number>()
  for (const piece of pieces) {
    const covering = statements.find((candidate) => coversPiece(candidate, piece))
    if (!covering) return undefined
    coveringIndexes.add(covering.index)
  }
  return coveringIndexes.size > 0 ? coveringIndexes : undefined
}

function repeatedEntries({ index, statement }: LintedStatement): LintFinding[] {
  return Object.entries(listsOf(statement)).flatMap(([name, list]) =>
    [...new Set(list.filter((entry, position) => list.indexOf(entry) < position))].map((entry) => ({
      rule: 'repeats' as const,
      index,
      message: `\`${entry}\` occurs more than once in \`${name}\``,
    })),
  )
}

const allActions: readonly string[] = [
  ...new Set(resourceShapes.flatMap((shape) => actionsOf(shape.split(':').at(-1) ?? ''))),
]

function missingActions({ index, negated, specifiers, statement }: LintedStatement): LintFinding[] {
  const possibleActions = negated ? allActions : specifiers.flatMap(actionsOfSpecifier)
  return [...new Set(actionEntries(statement))].flatMap((entry) => {
    if (actionsMatchedBy(entry, possibleActions).length > 0) return []
    const kinds = [...new Set(specifiers.map(({ levels }) => levels.at(-1)?.kind))].join(' or ')
    const existsForOtherKinds = actionsMatchedBy(entry, allActions).length > 0
    const message = `\`${entry}\` is not an action${existsForOtherKinds ? ` of ${kinds}` : ''}, so it never applies`
    return [{ rule: 'matches-nothing', index, message }]
  })
}

/** Checks only statements with an existing action. For others, each action is reported. */
function unusedSpecifiers({ index, negated, specifiers, pieces }: LintedStatement): LintFinding[] {
  if (negated || pieces.length === 0) return []
  const usedSpecifiers = new Set(pieces.map(({ specifier }) => specifier))
  return specifiers
    .filter((specifier) => !usedSpecifiers.has(specifier))
    .map(({ source }) => ({
      rule: 'matches-nothing',
      index,
      message: `no action of the statement applies to \`${source}\``,
    }))
}

/** Accepts specifiers with a placeholder, because its value is unknown here. */
function missingResources(
  { index, statement }: LintedStatement,
  existingResources: readonly Resource[],
): LintFinding[] {
  return resourceEntries(statement)
    .filter((entry) => !entry.includes('${') && !matchesAny(entry, existingResources))
    .map((entry) => ({ rule: 'matches-nothing', index, message: `\`${entry}\` names nothing that exists` }))
}

/**
 * Returns true if a specifier matches any of the resources. The specifier is tested in a deny, because a deny matches a
 * resource with the key `*` as soon as it matches one of the resources that `*` represents.
 */
function matchesAny(entry: string, existingResources: readonly Resource[]): boolean {
  const deny: Statement = { effect: 'deny', resources: [entry], actions: ['*'] }
  const policy = compilePolicy([compileRole({ name: 'lint', statements: [deny] })])
  return existingResources.some((resource) => decide(policy, 'any', resource).statement !== undefined)
}

function wideActions({ index, statement }: LintedStatement): LintFinding[] {
  const entries = [...new Set(actionEntries(statement))]
  return entries
    .filter((entry) => entry.includes('*'))
    .flatMap((wide) => {
      const matchedByWide = actionsMatchedBy(wide, allActions)
      const narrowerEntries = (entry: string) => {
        const matched = actionsMatchedBy(entry, allActions)
        return (
          matched.length > 0 &&
          matched.length < matchedByWide.length &&
          matched.every((action) => matchedByWide.includes(action))
        )
      }
      return wideFinding(index, wide, entries.filter(narrowerEntries))
    })
}

function wideSpecifiers({ index, specifiers }: LintedStatement): LintFinding[] {
  return specifiers.flatMap((wide) => {
    const narrowerEntries = specifiers.filter(
      (narrow) => specifierContains(wide, narrow) && !specifierContains(narrow, wide),
    )
    return wideFinding(
      index,
      wide.source,
      narrowerEntries.map((narrow) => narrow.source),
    )
  })
}

function wideFinding(index: number, wide: string, narrowerEntries: readonly string[]): LintFinding[] {
  if (narrowerEntries.length === 0) return []
  const siblings = [...new Set(narrowerEntries)].map((entry) => `\`${entry}\``).join(', ')
  return [{ rule: 'wide-wildcard', index, message: `\`${wide}\` includes ${siblings} in the same list, and more` }]
}

/**
 * Reports that a statement depends on a tag. Where the tag grants permission, callers can add it; where it denies, they
 * can remove it.
 */
function tagRights({ index, effect, negated, specifiers }: LintedStatement): LintFinding[] {
  const grants = (effect === 'allow') !== negated
  return taggedKinds(specifiers).map((kind) => {
    const action = actionsOf(kind).find((actionName) => actionName.endsWith('Tags'))
    const callerText = action ? `a caller that may \`${action}\` there` : 'a caller that may change its tags'
    const consequence = grants ? 'gains the permission by adding the tag' : 'avoids the denial by removing the tag'
    return { rule: 'tag-widens', index, message: `depends on a tag of ${kind}: ${callerText} ${consequence}` }
  })
}

function taggedKinds(specifiers: readonly Specifier[]): string[] {
  const levelsWithTags = specifiers.flatMap(({ levels }) => levels.filter(({ tags }) => tags.length > 0))
  return [...new Set(levelsWithTags.map(({ kind }) => kind))]
}

/** Returns the actions of a list that an entry matches. */
function actionsMatchedBy(entry: string, actions: readonly string[]): string[] {
  const [scope] = scopesOf([{ effect: 'allow', resources: ['acct'], actions: [entry] }])
  return actions.filter((action) => scope?.matchesAction(action))
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

/** Returns the start of a sentence about one statement, or about several that do something together. */
function statementsThat(indexes: ReadonlySet<number>, [singular, plural]: readonly [string, string]): string {
  const numbers = [...indexes].sort((a, b) => a - b).map((index) => index + 1)
  return numbers.length === 1
    ? `statement ${numbers[0]} ${singular}`
    : `statements ${numbers.join(', ')} together ${plural}`
}
