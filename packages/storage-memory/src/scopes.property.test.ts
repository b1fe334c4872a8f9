import { isUnder } from '@halyard/core/storage'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Scopes } from './scopes.ts'

const scope = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'a-b', ''), { maxLength: 4 }).map((keys) => keys.join(':'))
const change = fc.record({ kind: fc.constantFrom('set', 'set', 'delete', 'clear', 'copy'), scope })

it('a search under a scope finds the same scopes as a check of all scopes, after any changes', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 40, maxLength: 200 }),
      fc.array(scope, { minLength: 5 }),
      (changes, sought) => {
        const model = new Map<string, number>()
        let scopes = new Scopes<number>()
        // The number of scopes exceeds the number up to which scopes are examined one by one.
        const many = Array.from({ length: 60 }, (_, i) => `other:${i % 7}:${i}`)
        for (const [i, each] of many.entries()) {
          scopes.set(each, -i - 1)
          model.set(each, -i - 1)
        }
        const sorted = (entries: Iterable<[string, number]>) => [...entries].sort(([, a], [, b]) => a - b)
        for (const [i, { kind, scope: changed }] of changes.entries()) {
          if (kind === 'set') {
            scopes.set(changed, i)
            model.set(changed, i)
          } else if (kind === 'copy') {
            scopes = scopes.copy()
          } else {
            const removed = kind === 'delete' ? [changed] : scopes.under(changed).map(([each]) => each)
            if (changed === '' && kind === 'clear') continue
            for (const each of removed) {
              scopes.delete(each)
              model.delete(each)
            }
          }
          const ancestor = sought[i % sought.length] as string
          expect(sorted(scopes.under(ancestor))).toEqual(sorted([...model].filter(([each]) => isUnder(each, ancestor))))
        }
      },
    ),
  )
})
