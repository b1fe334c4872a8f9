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
 * - `never-wins`: an allow of which denies of the same policy leave nothing.
 * - `repeats`: a statement, or an entry of its lists, that other ones say already.
 * - `matches-nothing`: an action that does not exist, or not for what it stands beside; a specifier that names
 *   nothing of the world, be it misspelt or still to be created.
 * - `wide-wildcard`: a wildcard that takes in what is listed beside it, so that the list looks narrower than it is.
 * - `tag-widens`: a right that hangs on a tag, and so on who may change tags.
 */
export type LintRule = 'never-wins' | 'repeats' | 'matches-nothing' | 'wide-wildcard' | 'tag-widens'

/** Something in a policy that is probably not meant. */
export interface LintFinding {
  readonly rule: LintRule
  /** Index of the statement in its policy, from 0. */
  readonly index: number
  /** One sentence; other statements are counted from 1, as explanations count them. */
  readonly message: string
}

/** What is known of the account that a policy is for. */
export interface LintOptions {
  /** What exists, with its tags, properties and views, e.g. from `resourcesOf(engine)`. Default: not looked at. */
  readonly world?: readonly Resource[]
}

/** A statement as it is written, and taken apart. */
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

/** From the last to the first, so that of two that say the same the later one is reported, and never both. */
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

/** Statements that together speak of all pieces; undefined when there are none. What has no pieces is not covered. */
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
      message: `\`${entry}\` stands more than once in \`${name}\``,
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
    const message = `\`${entry}\` is no action${known ? ` of ${kinds}` : ''}, so no question ever names it`
    return [{ rule: 'matches-nothing', index, message }]
  })
}

/** Of a statement with some action that exists: where there is none, each of its actions was reported. */
function idleSpecifiers({ index, negated, specifiers, pieces }: Examined): LintFinding[] {
  if (negated || pieces.length === 0) return []
  const used = new Set(pieces.map(({ specifier }) => specifier))
  return specifiers
    .filter((one) => !used.has(one))
    .map(({ source }) => ({
      rule: 'matches-nothing',
      index,
      message: `no action of the statement is one of what \`${source}\` names`,
    }))
}

/** What a placeholder stands for is not known here, so a specifier with one is let pass. */
function absentResources({ index, statement }: Examined, world: readonly Resource[]): LintFinding[] {
  return resourceEntries(statement)
    .filter((entry) => !entry.includes('${') && !namesAny(entry, world))
    .map((entry) => ({ rule: 'matches-nothing', index, message: `\`${entry}\` names nothing that exists` }))
}

/** A deny names a resource that stands for many as soon as it names one of them: the wider reading. */
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
  return [{ rule: 'wide-wildcard', index, message: `\`${wide}\` takes in ${siblings} beside it, and more` }]
}

/** Where the tag gives, it can be added; where it takes away, it can be removed. */
function tagRights({ index, effect, negated, specifiers }: Examined): LintFinding[] {
  const gives = (effect === 'allow') !== negated
  return taggedKinds(specifiers).map((kind) => {
    const action = actionsOf(kind).find((one) => one.endsWith('Tags'))
    const who = action ? `whoever may \`${action}\` there` : 'whoever may change its tags'
    const how = gives ? 'widens the right by adding the tag' : 'escapes by removing the tag'
    return { rule: 'tag-widens', index, message: `hangs on a tag of ${kind}: ${who} ${how}` }
  })
}

function taggedKinds(specifiers: readonly Specifier[]): string[] {
  const tagged = specifiers.flatMap(({ levels }) => levels.filter(({ tags }) => tags.length > 0))
  return [...new Set(tagged.map(({ kind }) => kind))]
}

/** The actions of a list that an entry names. */
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
