import { type Condition, storableJson } from '@halyard/core/storage'
import { fixedSql, joinSql, type Sql, sql } from './sql.ts'

/**
 * Returns a condition as SQL over the columns `key` and `fields`. No condition is ever null: where a field is missing
 * or of another type the condition is false, so that its negation is true.
 */
function conditionSql(condition: Condition): Sql {
  switch (condition.op) {
    case 'equals':
      return equalsAny(condition.field, [condition.value])
    case 'anyOf':
      return equalsAny(condition.field, condition.values)
    case 'contains':
      return containsSql(condition.in, condition.text)
    case 'exists':
      return existsSql(condition.field, condition.value)
    case 'range':
      return rangeSql(condition.field, condition.from, condition.to)
    case 'and':
      return allSql(condition.all)
    case 'or':
      return joined(condition.any, ' or ', sql`0`)
    case 'not':
      return sql`not (${conditionSql(condition.condition)})`
  }
}

/** Returns SQL that is true where all conditions are true. */
export function allSql(conditions: readonly Condition[]): Sql {
  return joined(conditions, ' and ', sql`1`)
}

/** Types of JSON values in SQLite. */
const jsonTypes = { text: `'text'`, number: `'integer', 'real'`, boolean: `'true', 'false'` }

/** Returns SQL for a field when it is of the given type, else null; for `key`, the column itself. */
export function typedField(field: string, type: 'text' | 'number' | 'boolean'): Sql {
  if (field === 'key') return fixedSql(type === 'text' ? 'key' : 'null')
  // An index is used only for the same expression, so the path of a field is part of the text.
  const path = /^\w+$/.test(field) ? fixedSql(`'${pathOf(field)}'`) : sql`${pathOf(field)}`
  const types = fixedSql(jsonTypes[type])
  return sql`case when json_type(fields, ${path}) in (${types}) then json_extract(fields, ${path}) end`
}

/** Returns the texts of a list, in order, joined by commas; null for an empty list and for another value. */
export function joinedTexts(field: string): Sql {
  if (field === 'key') return fixedSql('null')
  const path = pathOf(field)
  return sql`case when json_type(fields, ${path}) = 'array' then (
    select group_concat(element, ',') from (select value as element from json_each(fields, ${path}) f order by f.key)
  ) end`
}

function joined(conditions: readonly Condition[], operator: string, empty: Sql): Sql {
  return conditions.length === 0 ? empty : sql`(${joinSql(conditions.map(conditionSql), operator)})`
}

// json_each treats a scalar as a list of one element. Each element has a type, so 1, '1' and true are different.
function equalsAny(field: string, values: readonly (string | number | boolean)[]): Sql {
  if (field === 'key') {
    return sql`key in (select value from json_each(${jsonList(values.filter((value) => typeof value === 'string'))}))`
  }
  return sql`exists (
    select 1 from json_each(fields, ${pathOf(field)}) f join json_each(${jsonList(values)}) w
    on f.value = w.value and (f.type = w.type or (f.type in ('integer', 'real') and w.type in ('integer', 'real')))
  )`
}

function containsSql(fields: readonly string[], text: string): Sql {
  if (fields.length === 0) return sql`0`
  // lower() folds only ASCII letters. `instr` is used instead of LIKE, so that nothing in the text has to be escaped.
  const tests = fields.map((field) => sql`instr(lower(${typedField(field, 'text')}), lower(${text})) > 0`)
  return sql`coalesce(${joinSql(tests, ' or ')}, 0)`
}

function existsSql(field: string, mustExist: boolean): Sql {
  if (field === 'key') return fixedSql(mustExist ? '1' : '0')
  const test = sql`coalesce(json_type(fields, ${pathOf(field)}), 'null') <> 'null'`
  return mustExist ? test : sql`not (${test})`
}

function rangeSql(field: string, from: number | undefined, to: number | undefined): Sql {
  const value = typedField(field, 'number')
  const tests = [sql`${value} is not null`]
  if (from !== undefined) tests.push(sql`${value} >= ${from}`)
  if (to !== undefined) tests.push(sql`${value} < ${to}`)
  return sql`coalesce(${joinSql(tests, ' and ')}, 0)`
}

function pathOf(field: string): string {
  return `$.${JSON.stringify(field)}`
}

function jsonList(values: readonly (string | number | boolean)[]): string {
  return `[${values.map(storableJson)}]`
}
