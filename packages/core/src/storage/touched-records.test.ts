import { describe, expect, it } from 'vitest'
import { affectedBy, type Dependency } from './dependency-index.ts'
import type { Change, Touched } from './port.ts'
import { affects } from './test/affects.ts'
import { touchedBy } from './touched-records.ts'

const scope = 'proj/web:env/production'
const insert = (key: string, collection = 'deployment'): Change => ({
  do: 'insert',
  id: { collection, scope, key },
  body: {},
  fields: {},
})
const many = Array.from({ length: 500 }, (_, i) => insert(`d${i}`))

function isConcerned(touched: readonly Touched[], dependency: Dependency): boolean {
  return touched.some((one) =>
    one.what === 'collection' || one.what === 'scope' ? affects(one, dependency) : affectedBy(one).includes(dependency),
  )
}

describe('the records that a batch touches', () => {
  it('are its documents, when they are few', () => {
    expect(touchedBy([insert('a'), insert('b')])).toEqual([
      { what: 'document', id: { collection: 'deployment', scope, key: 'a' } },
      { what: 'document', id: { collection: 'deployment', scope, key: 'b' } },
    ])
  })

  it('are the collection in its scope for many documents, and single documents otherwise', () => {
    const expected: Change = {
      do: 'expect',
      id: { collection: 'env', scope: 'proj/web', key: 'production' },
      version: 1,
    }
    expect(touchedBy([expected, ...many, insert('x', 'deployment-place')])).toEqual([
      { what: 'collection', collection: 'deployment', scope },
      { what: 'document', id: { collection: 'deployment-place', scope, key: 'x' } },
    ])
  })

  it('affect every dependency that one of the documents affects', () => {
    const touched = touchedBy(many)
    const one = many.flatMap((change) => touchedBy([change])).flatMap((each) => affectedBy(each as never))
    expect(one.length).toBeGreaterThan(many.length)
    for (const dependency of new Set(one)) expect(isConcerned(touched, dependency)).toBe(true)
  })
})
