import type { Resource, ResourceLevel } from '../address.ts'
import { parseActionPattern } from './action-pattern.ts'
import { compileQualifiers, type Qualifier } from './qualifier.ts'
import { parseSpecifier, type Specifier, type SpecifierLevel } from './specifier.ts'
import type { Statement } from './statement.ts'
import { compileTextPattern, matchesEverything, type RoleAttributes, type TextTest } from './text-pattern.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/** The decision of a policy for one action on one resource. Shared between calls and frozen. */
export interface Decision {
  readonly allowed: boolean
  /** Name of the role whose statement decided; absent if no statement applies and access is denied by default. */
  readonly role?: string
  /** Index of that statement in the role, from 0. */
  readonly index?: number
  /** The deciding statement; undefined if no statement applies. */
  readonly statement?: Statement
}

/** A statement that is compiled for one caller. */
export interface CompiledStatement {
  readonly effect: Statement['effect']
  /** True for `notResources`: the statement applies to resources that its specifiers do not match. */
  readonly negated: boolean
  /** Part of a wildcard resource that a specifier must match. */
  readonly coverage: Reach
  readonly specifiers: readonly CompiledSpecifier[]
  readonly matchesAction: TextTest
  /** Result of the policy if this statement decides. */
  readonly decision: Decision
}

/**
 * Compiles a statement for a caller.
 *
 * @param role name of the role that contains the statement.
 * @param index index in that role, from 0.
 * @param attributes values of `${roleAttribute/name}`.
 * @param vocabulary the kinds and shapes that its specifiers may name.
 * @throws TypeError when the statement is not well-formed: skipping an unreadable rule could grant too much.
 */
export function compileStatement(
  role: string,
  statement: Statement,
  index: number,
  attributes: RoleAttributes,
  vocabulary: PolicyVocabulary,
): CompiledStatement {
  const label = `statement ${index + 1} of role ${role}`
  if (statement.effect !== 'allow' && statement.effect !== 'deny')
    throw new TypeError(`${label} must have the effect \`allow\` or \`deny\``)
  const negated = isPresent(statement.notResources)
  const specifiers = presentList(statement.resources, statement.notResources, label).map((text) =>
    compileSpecifier(parsed(parseSpecifier(text, vocabulary), text, label), attributes),
  )
  return {
    effect: statement.effect,
    negated,
    coverage: coverageOf(statement.effect, negated),
    specifiers,
    matchesAction: compileActions(statement, label),
    decision: Object.freeze({ allowed: statement.effect === 'allow', role, index, statement }),
  }
}

/**
 * Returns true if a statement applies to a resource.
 *
 * @param specifiers specifiers of the statement that have the shape of the resource.
 */
export function appliesTo(
  { negated, coverage }: CompiledStatement,
  specifiers: readonly CompiledSpecifier[],
  resource: Resource,
): boolean {
  for (const specifier of specifiers) if (namesResource(specifier, resource, coverage)) return !negated
  return negated
}

/**
 * Returns the part of the resources with the key `*` that a statement must match. An allow must match all of them, a
 * deny only some of them; `notResources` inverts both. So a caller who may change something in all environments may
 * change it in each of them.
 */
function coverageOf(effect: Statement['effect'], negated: boolean): Reach {
  return (effect === 'allow') === negated ? 'some' : 'all'
}

function compileActions(statement: Statement, label: string): TextTest {
  const tests = presentList(statement.actions, statement.notActions, label).map((text) =>
    compileTextPattern(parsed(parseActionPattern(text), text, label), {}),
  )
  const expected = !isPresent(statement.notActions)
  return (action) => tests.some((test) => test(action)) === expected
}

function presentList(list: Statement['actions'], notList: Statement['actions'], label: string): readonly string[] {
  if (isPresent(list) === isPresent(notList))
    throw new TypeError(`${label} must have one list of resources and one of actions`)
  return (isPresent(list) ? list : notList) as readonly string[]
}

function isPresent(list: Statement['actions']): boolean {
  return list !== undefined && list.length > 0
}

function parsed<Pattern>(pattern: Pattern | string, text: string, label: string): Pattern {
  if (typeof pattern === 'string') throw new TypeError(`${label}: "${text}" ${pattern}`)
  return pattern
}

/** A specifier that is compiled for one caller. It tests only the levels that do not match every name. */
export interface CompiledSpecifier {
  readonly source: string
  /** Kinds of the levels; the tests apply only to resources with these kinds. */
  readonly shape: string
  readonly tests: readonly LevelTest[]
}

export interface LevelTest {
  /** Index of the level in the resource. */
  readonly at: number
  /** Test of the name of the resource; undefined if every name matches. */
  readonly name: TextTest | undefined
  /**
   * Character code with which every matching name begins, if there is one. Comparing it rejects most names without a
   * function call.
   */
  readonly initial: number | undefined
  readonly qualifiers: readonly Qualifier[]
}

/**
 * Compiles a specifier for one caller.
 *
 * @param attributes values of `${roleAttribute/…}`.
 */
export function compileSpecifier(specifier: Specifier, attributes: RoleAttributes): CompiledSpecifier {
  const tests = specifier.levels
    .map((level, at) => compileLevel(level, at, attributes))
    .filter((test) => test.name !== undefined || test.qualifiers.length > 0)
  return { source: specifier.source, shape: specifier.shape, tests }
}

/**
 * Part of a wildcard resource that a specifier must match. The two values differ only for the key `*`.
 *
 * A change to a flag in all environments is matched as a whole (`all`) only by `env/*`: not by `env/prod*`, and not by
 * `env/*;qa` unless all environments are known to have the tag. It is matched in part (`some`) by `env/production` as
 * well, and by `env/*;{critical:true}`, because one of the environments may be critical.
 */
export type Reach = 'all' | 'some'

/**
 * Returns true if a specifier matches a resource.
 *
 * @param resource resource of the specifier's shape.
 */
export function namesResource(specifier: CompiledSpecifier, resource: Resource, coverage: Reach): boolean {
  for (const test of specifier.tests) if (!namesLevel(test, resource[test.at] as ResourceLevel, coverage)) return false
  return true
}

/** Returns true if the key of a level matches; if the key is `*`, only a test without a name matches. */
export function hasName(test: LevelTest, level: ResourceLevel): boolean {
  if (test.name === undefined) return true
  if (test.initial !== undefined && level.key.charCodeAt(0) !== test.initial) return false
  return test.name(level.key) && level.key !== '*'
}

/**
 * Tests for the key `*` last, because nearly every level is decided by the earlier tests, and this is the innermost
 * loop.
 */
function namesLevel(test: LevelTest, level: ResourceLevel, coverage: Reach): boolean {
  if (!hasName(test, level)) return coverage === 'some' && level.key === '*'
  for (const qualifier of test.qualifiers)
    if (!qualifier.matches(level)) return coverage === 'some' && level.key === '*'
  return true
}

function compileLevel(level: SpecifierLevel, at: number, attributes: RoleAttributes): LevelTest {
  const qualifiers = compileQualifiers(level, attributes)
  if (!level.name || matchesEverything(level.name)) return { at, name: undefined, initial: undefined, qualifiers }
  const [first] = level.name.parts
  const initial = first?.kind === 'text' ? first.text.charCodeAt(0) : undefined
  return { at, name: compileTextPattern(level.name, attributes), initial, qualifiers }
}
