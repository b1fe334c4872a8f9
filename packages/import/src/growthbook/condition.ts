import { attributeReference, test } from '../conditions/attribute-tests.ts'
import { all, always, any, type Condition, never, not } from '../conditions/condition.ts'
import { isDefined } from '../conditions/presence.ts'
import { insideNegation, maxValueLength, omitCondition, type Translation } from '../conditions/translation.ts'
import { operatorTest } from './operator.ts'
import type { GrowthBookCondition } from './payload.ts'

/** Tests for membership in a saved group, by the attribute of the condition. Default: the attribute of the group. */
export type GroupTest = (translation: Translation, id: unknown, attribute: string | undefined) => Condition

/**
 * Translates a condition. An attribute is assumed to have the type that it is compared with. A missing attribute counts
 * as null, and as 0 when numbers are compared; the translation preserves this.
 */
export function conditionOf(translation: Translation, condition: GrowthBookCondition, inGroup: GroupTest): Condition {
  return all(...Object.entries(condition).map(([name, value]) => propertyCondition(translation, name, value, inGroup)))
}

function propertyCondition(translation: Translation, name: string, value: unknown, inGroup: GroupTest): Condition {
  const translateEach = (inner: Translation) => listOf(value).map((item) => conditionOf(inner, item, inGroup))
  switch (name) {
    case '$and':
      return all(...translateEach(translation))
    // A disjunction without conditions counts as true.
    case '$or':
      return listOf(value).length === 0 ? always : any(...translateEach(translation))
    case '$nor':
      return listOf(value).length === 0 ? never : not(any(...translateEach(insideNegation(translation))))
    case '$not':
      return not(conditionOf(insideNegation(translation), objectOf(value), inGroup))
    case '$savedGroup': {
      const { id, attributeKey } = objectOf(value)
      return inGroup(translation, id, typeof attributeKey === 'string' ? attributeAt(attributeKey) : undefined)
    }
    default:
      return attributeTest(translation, name, value, inGroup)
  }
}

function attributeTest(translation: Translation, path: string, value: unknown, inGroup: GroupTest): Condition {
  const attribute = attributeAt(path)
  if (attribute !== undefined) return valueTest(translation, attribute, value, inGroup)
  return omitCondition(
    translation,
    `a condition on ${path}`,
    'a context attribute cannot have this name',
    'send it under another name',
  )
}

/**
 * Returns the attribute reference of a clause: `id` is the key of the context, and dots refer to properties of objects.
 *
 * @returns undefined when no attribute can have that name, and for elements of lists.
 */
export function attributeAt(path: string): string | undefined {
  if (path === 'id') return 'key'
  const [name = '', ...inner] = path.split('.')
  const outer = attributeReference(name)
  if (inner.length === 0 || outer === undefined) return outer
  if (inner.some((part) => part === '' || /^\d+$/.test(part)) || path.length > 200) return undefined
  return [name, ...inner].map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns a condition that is true when an attribute has the expected value. */
function valueTest(translation: Translation, attribute: string, value: unknown, inGroup: GroupTest): Condition {
  if (value === null) return missing(attribute)
  if (typeof value === 'string') return textTest(translation, attribute, value)
  if (typeof value === 'number') return numberTest(attribute, value)
  if (typeof value === 'boolean') return test(attribute, 'in', value)
  const operators = Object.entries(value as object)
  if (Array.isArray(value) || operators.length === 0 || operators.some(([name]) => !name.startsWith('$'))) {
    return omitCondition(
      translation,
      `equality with ${JSON.stringify(value)}`,
      'clauses cannot compare lists and objects',
      'compare their content',
    )
  }
  return all(...operators.map(([name, expected]) => operatorCondition(translation, attribute, name, expected, inGroup)))
}

function operatorCondition(
  translation: Translation,
  attribute: string,
  name: string,
  expected: unknown,
  inGroup: GroupTest,
): Condition {
  switch (name) {
    case '$not':
      return not(valueTest(insideNegation(translation), attribute, expected, inGroup))
    case '$inGroup':
      return inGroup(translation, expected, attribute)
    case '$notInGroup':
      return not(inGroup(insideNegation(translation), expected, attribute))
    default:
      return operatorTest(translation, attribute, name, expected)
  }
}

/**
 * Returns the condition that an attribute equals a text. GrowthBook compares a missing attribute as the text `null`.
 */
function textTest(translation: Translation, attribute: string, value: string): Condition {
  if (value.length > maxValueLength) {
    return omitCondition(
      translation,
      'a long text',
      `values have at most ${maxValueLength} characters`,
      'compare with a shorter text',
    )
  }
  return any(test(attribute, 'in', value), ...(value === 'null' ? [missing(attribute)] : []))
}

/**
 * Returns the condition that an attribute equals a number. A missing attribute counts as 0. Keys are texts, so a key
 * that is written like the number matches.
 */
function numberTest(attribute: string, value: number): Condition {
  if (attribute === 'key') return test(attribute, 'in', String(value))
  return any(test(attribute, 'in', value), ...(value === 0 ? [missing(attribute)] : []))
}

/** Returns the condition that an attribute is missing; a key is never missing. */
function missing(attribute: string): Condition {
  return attribute === 'key' ? never : not(isDefined(attribute))
}

function listOf(value: unknown): GrowthBookCondition[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function objectOf(value: unknown): GrowthBookCondition {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as GrowthBookCondition) : {}
}
