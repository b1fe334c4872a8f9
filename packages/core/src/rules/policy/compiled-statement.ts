import type { Resource } from '../address.ts'
import { parseActionPattern } from './action-pattern.ts'
import { type CompiledSpecifier, compileSpecifier, namesResource, type Reach } from './compiled-specifier.ts'
import { parseSpecifier } from './specifier.ts'
import type { Statement } from './statement.ts'
import { compileTextPattern, type RoleAttributes, type TextTest } from './text-pattern.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/** What a policy says to one question. Shared between calls: never changed. */
export interface Decision {
  readonly allowed: boolean
  /** Name of the role whose statement decided; missing when no statement speaks and access is denied by default. */
  readonly role?: string
  /** Index of that statement in the role, from 0. */
  readonly index?: number
  /** What decided; undefined where no statement matched. */
  readonly statement?: Statement
}

/** A statement tied to a caller. */
export interface CompiledStatement {
  readonly effect: Statement['effect']
  /** True for `notResources`: the statement speaks of what its specifiers do not name. */
  readonly negated: boolean
  /** How its specifiers are asked. */
  readonly reach: Reach
  readonly specifiers: readonly CompiledSpecifier[]
  readonly namesAction: TextTest
  /** What is decided when this statement decides. */
  readonly decision: Decision
}

/**
 * Ties a statement to a caller.
 *
 * @param role name of the role that it stands in.
 * @param index where in that role, from 0.
 * @param attributes what `${roleAttribute/name}` stands for.
 * @param vocabulary the kinds and shapes that its specifiers may name.
 * @throws TypeError when the statement is not well-formed: a rule that cannot be read must not be skipped.
 */
export function compileStatement(
  role: string,
  statement: Statement,
  index: number,
  attributes: RoleAttributes,
  vocabulary: PolicyVocabulary,
): CompiledStatement {
  const where = `statement ${index + 1} of role ${role}`
  if (statement.effect !== 'allow' && statement.effect !== 'deny') throw new TypeError(`${where} has no effect`)
  const negated = isGiven(statement.notResources)
  const specifiers = givenOf(statement.resources, statement.notResources, where).map((text) =>
    compileSpecifier(parsed(parseSpecifier(text, vocabulary), text, where), attributes),
  )
  return {
    effect: statement.effect,
    negated,
    reach: reachOf(statement.effect, negated),
    specifiers,
    namesAction: compileActions(statement, where),
    decision: Object.freeze({ allowed: statement.effect === 'allow', role, index, statement }),
  }
}

/**
 * Whether a statement speaks of a resource.
 *
 * @param specifiers those of the statement that have the shape of the resource.
 */
export function speaksOf(
  { negated, reach }: CompiledStatement,
  specifiers: readonly CompiledSpecifier[],
  resource: Resource,
): boolean {
  for (const specifier of specifiers) if (namesResource(specifier, resource, reach)) return !negated
  return negated
}

/**
 * An allow must be meant for all that a resource stands for, a deny only for some of it; and to be left out of
 * `notResources` is the opposite of being named. So whoever may change a thing everywhere may change it anywhere.
 */
function reachOf(effect: Statement['effect'], negated: boolean): Reach {
  return (effect === 'allow') === negated ? 'some' : 'all'
}

function compileActions(statement: Statement, where: string): TextTest {
  const tests = givenOf(statement.actions, statement.notActions, where).map((text) =>
    compileTextPattern(parsed(parseActionPattern(text), text, where), {}),
  )
  const wanted = !isGiven(statement.notActions)
  return (action) => tests.some((test) => test(action)) === wanted
}

function givenOf(list: Statement['actions'], notList: Statement['actions'], where: string): readonly string[] {
  if (isGiven(list) === isGiven(notList)) throw new TypeError(`${where} needs one list of resources and one of actions`)
  return (isGiven(list) ? list : notList) as readonly string[]
}

function isGiven(list: Statement['actions']): boolean {
  return list !== undefined && list.length > 0
}

function parsed<Pattern>(pattern: Pattern | string, text: string, where: string): Pattern {
  if (typeof pattern === 'string') throw new TypeError(`${where}: "${text}" ${pattern}`)
  return pattern
}
