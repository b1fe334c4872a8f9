import { type Condition, storableJson } from '@halyard/core/storage'
import type { Bind } from '../statements/bind.ts'

/**
 * Returns a condition as SQL over the columns `key` and `fields`.
 *
 * The text contains no input: names and values are bound as parameters. No condition is ever null. Where a field is
 * missing or of another type the condition is false, so that its negation is true.
 */
function conditionSql(condition: Condition, bind: Bind): string {
  switch (condition.op) {
    case 'equals':
      return equalsAny(condition.field, [condition.value], bind)
    case 'anyOf':
      return equalsAny(condition.field, condition.values, bind)
    case 'contains':
      return containsSql(condition.in, condition.text, bind)
    case 'exists':
      return existsSql(condition.field, condition.value, bind)
    case 'range':
      return rangeSql(condition, bind)
    case 'and':
      return allSql(condition.all, bind)
    case 'or':
      return joinConditions(condition.any, 'or', bind)
    case 'not':
      return `not (${conditionSql(condition.condition, bind)})`
  }
}

/** Returns SQL that is true where all conditions are true. */
export function allSql(conditions: readonly Condition[], bind: Bind): string {
  return joinConditions(conditions, 'and', bind)
}

/** Returns SQL for a field as text when it is of the given JSON type, else null; for `key`, the column itself. */
export function typedField(field: string, type: 'string' | 'number' | 'boolean', bind: Bind): string {
  if (field === 'key') return type === 'string' ? 'key' : 'null::text'
  const name = `${bind(field)}::text`
  return `case jsonb_typeof(fields -> ${name}) when '${type}' then fields ->> ${name} end collate "C"`
}

/** Returns the texts of a list, in order, joined by commas; null for an empty list and for another value. */
export function joinedTexts(field: string, bind: Bind): string {
  if (field === 'key') return 'null::text'
  const name = `${bind(field)}::text`
  return `case jsonb_typeof(fields -> ${name}) when 'array' then (select string_agg(element, ',' order by place)
    from jsonb_array_elements_text(fields -> ${name}) with ordinality as texts(element, place)) end collate "C"`
}

function joinConditions(conditions: readonly Condition[], operator: 'and' | 'or', bind: Bind): string {
  if (conditions.length === 0) return operator === 'and' ? 'true' : 'false'
  return `(${conditions.map((condition) => conditionSql(condition, bind)).join(` ${operator} `)})`
}

function equalsAny(field: string, values: readonly (string | number | boolean)[], bind: Bind): string {
  if (field === 'key') {
    const texts = values.filter((value) => typeof value === 'string')
    return `key = any(${bind(texts)}::text[])`
  }
  // `@>` is also true between a list and a scalar that it contains: `["a", "b"] @> "a"`.
  return `coalesce(fields -> ${bind(field)}::text @> any(${bind(values.map(storableJson))}::text[]::jsonb[]), false)`
}

function containsSql(fields: readonly string[], text: string, bind: Bind): string {
  if (fields.length === 0) return 'false'
  // With the collation "C", lower() folds only ASCII letters. `position` is used instead of LIKE, so that nothing in
  // the text has to be escaped.
  const searched = `lower(${bind(text)}::text collate "C")`
  const tests = fields.map((field) => `position(${searched} in lower(${typedField(field, 'string', bind)})) > 0`)
  return `coalesce(${tests.join(' or ')}, false)`
}

function existsSql(field: string, mustExist: boolean, bind: Bind): string {
  if (field === 'key') return mustExist ? 'true' : 'false'
  // `->>` returns null both for a missing field and for a JSON null.
  return `fields ->> ${bind(field)}::text ${mustExist ? 'is not null' : 'is null'}`
}

function rangeSql({ field, from, to }: Extract<Condition, { readonly op: 'range' }>, bind: Bind): string {
  const value = `(${typedField(field, 'number', bind)})::float8`
  const tests = [`${value} is not null`]
  if (from !== undefined) tests.push(`${value} >= ${bind(from)}::float8`)
  if (to !== undefined) tests.push(`${value} < ${bind(to)}::float8`)
  return `coalesce(${tests.join(' and ')}, false)`
}
