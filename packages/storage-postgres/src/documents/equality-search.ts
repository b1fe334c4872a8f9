import type { Condition } from '@halyard/core/storage'
import { fieldTerms } from './field-index.ts'

type Equality = Extract<Condition, { readonly op: 'equals' | 'anyOf' }>

/** Documents of a collection, at and under a scope, that meet all conditions. */
interface Search {
  readonly collection: string
  readonly scope: string
  readonly where?: readonly Condition[]
}

/**
 * Returns true for conditions that the functions of the schema can test, such as the conditions that find references.
 */
export function areEqualities(conditions: readonly Condition[]): boolean {
  return conditions.every(({ op }) => op === 'equals' || op === 'anyOf')
}

/**
 * Returns a search in the form that the functions of the schema accept: the keys of the documents, the terms of the
 * first and of the last condition for the index of fields, and all conditions on fields. More terms would take more
 * time and would not find fewer documents.
 *
 * @param search conditions for which `areEqualities` is true.
 */
export function searchOf({ collection, scope, where = [] }: Search): object {
  // Cast: the caller has tested the conditions with `areEqualities`.
  const conditions = (where as readonly Equality[]).map((condition) => ({
    field: condition.field,
    values: condition.op === 'equals' ? [condition.value] : condition.values,
  }))
  const keys = conditions.filter(({ field }) => field === 'key').map(({ values }) => values.filter(isText))
  const tests = conditions.filter(({ field }) => field !== 'key')
  const terms = tests.flatMap(({ field, values }) => {
    const texts = values.filter(isText)
    return texts.length === values.length ? [fieldTerms(field, texts)] : []
  })
  return {
    collection,
    scope,
    ...(keys.length > 0 && { keys: keys.reduce((common, more) => common.filter((key) => more.includes(key))) }),
    ...(terms.length > 0 && { terms: terms.at(-1) }),
    ...(terms.length > 1 && { others: terms[0] }),
    tests: tests.map(({ field, values }) => [field, values]),
  }
}

function isText(value: string | number | boolean): value is string {
  return typeof value === 'string'
}
