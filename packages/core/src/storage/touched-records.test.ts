import { describe, expect, it } from 'vitest'
import { affectedBy, type Dependency } from './dependency-index.ts'
import type { Change, TouchedRecords } from './port.ts'
import { affects } from './test/affects.ts'
import { touchedBy } from './touched-records.ts'

const scope = 'proj/web:env/production'
const insert = (key: string, collection = 'deployment'): Change => ({
  do: 'insert',
  id: { collection, scope, key },
  body: {},
  fields: {},
})
const many = Array.from({ length: 1_500 }, (_, i) => insert(`d${i}`))

function isConcerned(touched: readonly TouchedRecords[], dependency: Dependency): boolean {
  return touched.some((dependencies) =>
    dependencies.kind === 'collection' || dependencies.kind === 'scope'
      ? affects(dependencies, dependency)
      : affectedBy(dependencies).includes(dependency),
  )
}

describe('touchedBy', () => {
  it('lists single documents when they are few', () => {
    expect(touchedBy([insert('a'), insert('b')])).toEqual([
      { kind: 'document', id: { collection: 'deployment', scope, key: 'a' } },
      { kind: 'document', id: { collection: 'deployment', scope, key: 'b' } },
    ])
  })

  it('reports many documents of a scope as their collection, and other documents one by one', () => {
    const expected: Change = {
      do: 'expect',
      id: { collection: 'env', scope: 'proj/web', key: 'production' },
      version: 1,
    }
    expect(touchedBy([expected, ...many, insert('x', 'deployment-place')])).toEqual([
      { kind: 'collection', collection: 'deployment', scope },
      { kind: 'document', id: { collection: 'deployment-place', scope, key: 'x' } },
    ])
  })

  it('affects every dependency that one of the documents affects', () => {
    const touched = touchedBy(many)
    const dependencies = many.flatMap((change) => touchedBy([change])).flatMap((each) => affectedBy(each as never))
    expect(dependencies.length).toBeGreaterThan(many.length)
    for (const dependency of new Set(dependencies)) expect(isConcerned(touched, dependency)).toBe(true)
  })
})
