import { attributeReference, compareAttribute } from '../conditions/attribute-tests.ts'
import { all, always, any, type Condition, never, not } from '../conditions/condition.ts'
import { isDefined } from '../conditions/presence.ts'
import { insideNegation, maxValueLength, omitCondition, type Translation } from '../conditions/translation.ts'
import { type AttributeTranslation, negated, operatorTest } from './operator.ts'
import type { GrowthBookCondition } from './payload.ts'

/** Tests for membership in a saved group, by the attribute of the condition. Default: the attribute of the group. */
export type GroupTest = (translation: Translation, id: unknown, attribute: string | undefined) => Condition

/** State of the translation of a condition of GrowthBook. */
export interface GrowthBookTranslation extends Translation {
  readonly inGroup: GroupTest
}

/**
 * Translates a condition. An attribute is assumed to have the type that it is compared with. A missing attribute counts
 * as null, and as 0 when numbers are compared; the translation preserves this.
 */
export function conditionOf(translation: GrowthBookTranslation, condition: GrowthBookCondition): Condition {
  return all(...Object.entries(condition).map(([name, value]) => propertyCondition(translation, name, value)))
}

function propertyCondition(translation: GrowthBookTranslation, name: string, value: unknown): Condition {
  const translateEach = (inner: GrowthBookTranslation) => listOf(value).map((item) => conditionOf(inner, item))
  switch (name) {
    case '$and':
      return all(...translateEach(translation))
    // A disjunction without conditions counts as true.
    case '$or':
      return listOf(value).length === 0 ? always : any(...translateEach(translation))
    case '$nor':
      return listOf(value).length === 0 ? never : not(any(...translateEach(insideNegation(translation))))
    case '$not':
      return not(conditionOf(insideNegation(translation), objectOf(value)))
    case '$savedGroup': {
      const { id, attributeKey } = objectOf(value)
      return translation.inGroup(
        translation,
        id,
        typeof attributeKey === 'string' ? attributeAt(attributeKey) : undefined,
      )
    }
    default:
      return attributeTest(translation, name, value)
  }
}

function attributeTest(translation: GrowthBookTranslation, path: string, value: unknown): Condition {
  const attribute = attributeAt(path)
  if (attribute !== undefined) return valueTest({ translation, attribute }, value)
  return omitCondition(translation, {
    what: `a condition on ${path}`,
    why: 'a context attribute cannot have this name',
    instead: 'send it under another name',
  })
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
function valueTest(target: AttributeTranslation<GrowthBookTranslation>, value: unknown): Condition {
  const { translation, attribute } = target
  if (value === null) return missing(attribute)
  if (typeof value === 'string') return textTest(target, value)
  if (typeof value === 'number') return numberTest(attribute, value)
  if (typeof value === 'boolean') return compareAttribute(attribute, 'in', value)
  const operators = Object.entries(value as object)
  if (Array.isArray(value) || operators.length === 0 || operators.some(([name]) => !name.startsWith('$'))) {
    return omitCondition(translation, {
      what: `equality with ${JSON.stringify(value)}`,
      why: 'clauses cannot compare lists and objects',
      instead: 'compare their content',
    })
  }
  return all(...operators.map(([name, expected]) => operatorCondition(target, name, expected)))
}

function operatorCondition(
  target: AttributeTranslation<GrowthBookTranslation>,
  name: string,
  expected: unknown,
): Condition {
  const { translation, attribute } = target
  switch (name) {
    case '$not':
      return not(valueTest(negated(target), expected))
    case '$inGroup':
      return translation.inGroup(translation, expected, attribute)
    case '$notInGroup':
      return not(translation.inGroup(insideNegation(translation), expected, attribute))
    default:
      return operatorTest(target, name, expected)
  }
}

/**
 * Returns the condition that an attribute equals a text. GrowthBook compares a missing attribute as the text `null`.
 */
function textTest({ translation, attribute }: AttributeTranslation, value: string): Condition {
  if (value.length > maxValueLength) {
    return omitCondition(translation, {
      what: 'a long text',
      why: `values have at most ${maxValueLength} characters`,
      instead: 'compare with a shorter text',
    })
  }
  return any(compareAttribute(attribute, 'in', value), ...(value === 'null' ? [missing(attribute)] : []))
}

/**
 * Returns the condition that an attribute equals a number. A missing attribute counts as 0. Keys are texts, so a key
 * that is written like the number matches.
 */
function numberTest(attribute: string, value: number): Condition {
  if (attribute === 'key') return compareAttribute(attribute, 'in', String(value))
  return any(compareAttribute(attribute, 'in', value), ...(value === 0 ? [missing(attribute)] : []))
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
