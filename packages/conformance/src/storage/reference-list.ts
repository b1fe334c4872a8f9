import type { Condition, Fields, FieldValue, ListQuery, Order } from '@halyard/core/storage'

/** A document with the properties that lists use. */
export interface ReferenceDocument {
  readonly scope: string
  readonly key: string
  readonly fields: Fields
}

/**
 * Lists documents by the simplest possible implementation of the port's rules. Storages are compared with it.
 * @param documents all documents of one collection, in any order.
 * @returns the documents of the page, and the number of matches without limit and offset.
 */
export function referenceList(
  documents: readonly ReferenceDocument[],
  query: Omit<ListQuery, 'collection' | 'select'>,
) {
  const inScope = (scope: string) =>
    scope === query.scope || (query.deep === true && (query.scope === '' || scope.startsWith(`${query.scope}:`)))
  const order = query.order?.length ? query.order : [{ field: 'key', type: 'text' } as const]
  const matching = documents
    .filter((document) => inScope(document.scope))
    .filter((document) => (query.where ?? []).every((condition) => matches(condition, document)))
    .sort((a, b) => {
      const differences = order.map((criterion) => compareBy(criterion, a, b))
      const all = [...differences, compareText(a.scope, b.scope), compareText(a.key, b.key)]
      return all.find((difference) => difference !== 0) ?? 0
    })
  const offset = query.offset ?? 0
  return { items: matching.slice(offset, offset + query.limit), total: matching.length }
}

/** Compares two texts code point by code point. */
export function compareText(a: string, b: string): number {
  const leftCodePoints = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const rightCodePoints = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  const index = leftCodePoints.findIndex((codePoint, i) => codePoint !== rightCodePoints[i])
  if (index === -1) return leftCodePoints.length - rightCodePoints.length
  return index < rightCodePoints.length ? leftCodePoints[index]! - rightCodePoints[index]! : 1
}

function fieldValue(document: ReferenceDocument, field: string): FieldValue {
  if (field === 'key') return document.key
  return Object.entries(document.fields).find(([name]) => name === field)?.[1] ?? null
}

function matches(condition: Condition, document: ReferenceDocument): boolean {
  switch (condition.op) {
    case 'equals':
      return scalarsOf(fieldValue(document, condition.field)).includes(condition.value)
    case 'anyOf':
      return condition.values.some((value) => scalarsOf(fieldValue(document, condition.field)).includes(value))
    case 'contains':
      return condition.in.some((field) => {
        const value = fieldValue(document, field)
        return typeof value === 'string' && lowerAscii(value).includes(lowerAscii(condition.text))
      })
    case 'exists':
      return (fieldValue(document, condition.field) !== null) === condition.value
    case 'range': {
      const value = fieldValue(document, condition.field)
      if (typeof value !== 'number') return false
      return (
        !(condition.from !== undefined && value < condition.from) &&
        !(condition.to !== undefined && value >= condition.to)
      )
    }
    case 'and':
      return !condition.all.some((inner) => !matches(inner, document))
    case 'or':
      return condition.any.some((inner) => matches(inner, document))
    case 'not':
      return !matches(condition.condition, document)
  }
}

function scalarsOf(value: FieldValue): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function lowerAscii(text: string): string {
  return Array.from(text, (letter) => (letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter)).join('')
}

function compareBy(criterion: Order, a: ReferenceDocument, b: ReferenceDocument): number {
  const { field, type, descending, ignoreCase } = criterion
  const sortedValue = (document: ReferenceDocument) => {
    const value = fieldValue(document, field)
    if (type === 'texts') return Array.isArray(value) && value.length > 0 ? value.join(',') : null
    return ignoreCase && typeof value === 'string' ? lowerAscii(value) : value
  }
  const [left, right] = [sortedValue(a), sortedValue(b)]
  const ascending = compareValues(left, right, type === 'text' || type === 'texts' ? 'string' : type)
  return descending ? -ascending : ascending
}

function compareValues(left: FieldValue, right: FieldValue, type: 'string' | 'number' | 'boolean'): number {
  if (typeof left !== type) return typeof right === type ? -1 : 0
  if (typeof right !== type) return 1
  return type === 'string' ? compareText(left as string, right as string) : Number(left) - Number(right)
}
