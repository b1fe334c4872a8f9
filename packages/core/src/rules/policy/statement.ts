import { parseActionPattern } from './action-pattern.ts'
import { parseSpecifier } from './specifier.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/**
 * One rule of a policy, as it is stored and sent (spec.md "Policy statement", D15).
 *
 * It has either `resources` or `notResources`, and either `actions` or `notActions`; an empty list counts as absent.
 * Specifiers look like `proj/*:env/production;critical-tag:flag/checkout-*`.
 */
export interface Statement {
  readonly effect: 'allow' | 'deny'
  /** Specifiers of the resources that the statement applies to; either this or `notResources`. */
  readonly resources?: readonly string[]
  /** Specifiers of the resources that the statement does not apply to; it applies to all others. */
  readonly notResources?: readonly string[]
  /** Actions that the statement applies to; either this or `notActions`. */
  readonly actions?: readonly string[]
  /** Actions that the statement does not apply to; it applies to all others. */
  readonly notActions?: readonly string[]
}

/** Maximum number of statements in a role, and of entries in one list of a statement. */
const MAX_ENTRIES = 500

/** Maximum number of characters in a specifier or an action. */
const MAX_TEXT_LENGTH = 1000

/** An error in a part of a list of statements. */
export interface StatementFault {
  /** Path of the part: `''` for the list itself, `[1].resources[0]` for a specifier. */
  readonly attribute: string
  readonly reason: string
}

type Parse = (text: string) => unknown

/**
 * Finds everything that is wrong with statements before they are saved (D15); what passes can be compiled.
 *
 * Members that statements do not have are let pass, so that one answered with `role_name` can be sent back.
 *
 * @param statements anything; should be an array of at most 500 {@link Statement}.
 * @param vocabulary the kinds and shapes that specifiers may name.
 * @returns all faults, in the order of the text; none when the statements are good.
 */
export function statementFaults(statements: unknown, vocabulary: PolicyVocabulary): StatementFault[] {
  if (!Array.isArray(statements)) return [fault('', 'must be an array of statements')]
  if (statements.length > MAX_ENTRIES) return [fault('', `must have at most ${MAX_ENTRIES} statements`)]
  return statements.flatMap((statement, index) => faultsOfOne(statement, `[${index}]`, vocabulary))
}

function faultsOfOne(statement: unknown, at: string, vocabulary: PolicyVocabulary): StatementFault[] {
  const parse: Parse = (text) => parseSpecifier(text, vocabulary)
  if (!isRecord(statement)) return [fault(at, 'must be an object')]
  return [
    ...effectFaults(statement.effect, `${at}.effect`),
    ...eitherFaults(statement, 'resources', 'notResources', at),
    ...eitherFaults(statement, 'actions', 'notActions', at),
    ...listFaults(statement.resources, `${at}.resources`, parse),
    ...listFaults(statement.notResources, `${at}.notResources`, parse),
    ...listFaults(statement.actions, `${at}.actions`, parseActionPattern),
    ...listFaults(statement.notActions, `${at}.notActions`, parseActionPattern),
  ]
}

function effectFaults(effect: unknown, at: string): StatementFault[] {
  return effect === 'allow' || effect === 'deny' ? [] : [fault(at, 'must be `allow` or `deny`')]
}

function eitherFaults(statement: Record<string, unknown>, one: string, other: string, at: string): StatementFault[] {
  const given = [one, other].filter((name) => isGiven(statement[name]))
  if (given.length === 1) return []
  const reason = given.length === 0 ? `or \`${other}\` must be present` : `must not be combined with \`${other}\``
  return [fault(`${at}.${one}`, reason)]
}

/** Returns false for an empty list, which means nothing: responses contain some, and clients send them back. */
function isGiven(list: unknown): boolean {
  return list !== undefined && !(Array.isArray(list) && list.length === 0)
}

function listFaults(list: unknown, at: string, parse: Parse): StatementFault[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) return [fault(at, 'must be an array of strings')]
  if (list.length > MAX_ENTRIES) return [fault(at, `must have at most ${MAX_ENTRIES} entries`)]
  return list.flatMap((text, index) => textFaults(text, `${at}[${index}]`, parse))
}

function textFaults(text: unknown, at: string, parse: Parse): StatementFault[] {
  if (typeof text !== 'string') return [fault(at, 'must be a string')]
  if (text.length > MAX_TEXT_LENGTH) return [fault(at, `must have at most ${MAX_TEXT_LENGTH} characters`)]
  const parsed = parse(text)
  return typeof parsed === 'string' ? [fault(at, parsed)] : []
}

function fault(attribute: string, reason: string): StatementFault {
  return { attribute, reason }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
