import type { Resource, ResourceLevel } from '../../address.ts'
import type { Statement } from '../statement.ts'

/**
 * A second implementation of decision D15 (docs/decisions/0002-decide-access-by-policy.md#d15-policies) that is slow
 * and direct. It works on the parts from which the tests write the texts of statements. So it uses neither the parser
 * nor the matching of specifiers of the engine.
 */

/** Part of a name: text, an attribute of the role, or a wildcard. */
export type Part = { text: string } | { attribute: string } | 'star'
/** A name or pattern as a list of parts. */
export type Name = readonly Part[]

/** A level of a specifier. */
export interface Level {
  readonly kind: string
  readonly name: Name
  readonly tags: readonly Name[]
  readonly properties: readonly (readonly [name: string, value: Name])[]
  readonly views: readonly Name[]
}

/** A statement. */
export interface Rule {
  readonly effect: 'allow' | 'deny'
  readonly not: boolean
  readonly specifiers: readonly (readonly Level[])[]
  readonly notActions: boolean
  readonly actions: readonly Name[]
}

/** The statements of a role. */
export type Role = readonly Rule[]
/** Values of role attributes by name. */
export type Values = Readonly<Record<string, readonly string[]>>

// The following functions write statements as text.

function writeName(name: Name): string {
  return name.map(writePart).join('')
}

function writePart(part: Part): string {
  if (part === 'star') return '*'
  return 'text' in part ? percentEncoded(part.text) : `\${roleAttribute/${part.attribute}}`
}

function percentEncoded(text: string): string {
  return [...text].map((c) => (/[a-z]/i.test(c) ? c : `%${c.charCodeAt(0).toString(16)}`)).join('')
}

function writeLevel({ kind, name, tags, properties, views }: Level): string {
  const qualifiers = [
    ...(tags.length > 0 ? [tags.map(writeName).join(',')] : []),
    ...properties.map(([property, value]) => `{${property}:${writeName(value)}}`),
    ...views.map((view) => `view:${writeName(view)}`),
  ]
  return [kind === 'acct' ? 'acct' : `${kind}/${writeName(name)}`, ...qualifiers].join(';')
}

/** Returns the statement as its author would write it. */
export function writeRule(rule: Rule): Statement {
  const specifiers = rule.specifiers.map((levels) => levels.map(writeLevel).join(':'))
  const actions = rule.actions.map(writeName)
  return {
    effect: rule.effect,
    [rule.not ? 'notResources' : 'resources']: specifiers,
    [rule.notActions ? 'notActions' : 'actions']: actions,
  }
}

// The following functions evaluate rules.

function matchesName(name: Name, text: string, values: Values): boolean {
  const [part, ...rest] = name
  if (part === undefined) return text === ''
  if (part === 'star')
    return matchesName(rest, text, values) || (text !== '' && matchesName(name, text.slice(1), values))
  const choices = 'text' in part ? [part.text] : (values[part.attribute] ?? [])
  return choices.some((choice) => text.startsWith(choice) && matchesName(rest, text.slice(choice.length), values))
}

function levelMatches(level: Level, resourceLevel: ResourceLevel, values: Values): boolean {
  const { key, tags = [], properties = {}, views = [] } = resourceLevel
  return (
    (key === '*' ? level.name.every((element) => element === 'star') : matchesName(level.name, key, values)) &&
    level.tags.every((tag) => tags.some((element) => matchesName(tag, element, values))) &&
    level.properties.every(([element, value]) =>
      Object.entries(properties).some(
        ([propertyName, propertyValue]) => propertyName === element && matchesName(value, `${propertyValue}`, values),
      ),
    ) &&
    level.views.every((view) => views.some((element) => matchesName(view, element, values)))
  )
}

function matchesLevels(levels: readonly Level[], resource: Resource, values: Values, matchesPartly: boolean): boolean {
  if (levels.length !== resource.length) return false
  return levels.every((level, i) => {
    const resourceLevel = resource[i] as ResourceLevel
    return (
      level.kind === resourceLevel.kind &&
      ((matchesPartly && resourceLevel.key === '*') || levelMatches(level, resourceLevel, values))
    )
  })
}

/** Returns true if a statement applies to an action on a resource. */
export function applies(rule: Rule, action: string, resource: Resource, values: Values): boolean {
  const matchesPartly = rule.not ? rule.effect === 'allow' : rule.effect === 'deny'
  const resourceMatches = rule.specifiers.some((levels) => matchesLevels(levels, resource, values, matchesPartly))
  const actionMatches = rule.actions.some((pattern) => matchesName(pattern, action, {}))
  return resourceMatches !== rule.not && actionMatches !== rule.notActions
}

/** Returns the combined decision of the roles, with the role and the statement that decide. */
export function modelDecision(roles: readonly Role[], action: string, resource: Resource, values: Values) {
  const applicable = roles.map((role) =>
    role.flatMap((rule, index) => (applies(rule, action, resource, values) ? [{ effect: rule.effect, index }] : [])),
  )
  const denies = applicable.map((role) => role.find((statement) => statement.effect === 'deny'))
  const allows = applicable.map((role, r) =>
    denies[r] ? undefined : role.find((statement) => statement.effect === 'allow'),
  )
  const decisive = [...allows.entries(), ...denies.entries()].find(([, statement]) => statement !== undefined)
  if (!decisive) return { allowed: false, role: undefined, index: undefined }
  return { allowed: decisive[1]?.effect === 'allow', role: `role ${decisive[0]}`, index: decisive[1]?.index }
}
