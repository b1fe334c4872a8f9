import fc from 'fast-check'
import { expect, it } from 'vitest'
import { entryTerms } from './change-log-terms.ts'

const key = fc.constantFrom('web', '*', 'a', 'b')
const resource = fc
  .array(fc.tuple(fc.constantFrom('proj', 'env', 'flag', 'team'), key), { minLength: 1, maxLength: 4 })
  .map((levels) => levels.map(([kind, of]) => `${kind}/${of}`).join(':'))
const actions = fc.subarray(['updateOn', 'updateName', 'createFlag'])
const change = fc.record({ resource, actions }).map((each) => ({ ...each, kind: 'flag', patch: [], inverse: [] }))
const entry = fc.record(
  {
    kind: fc.constantFrom('flag', 'team'),
    name: fc.constantFrom('A flag', 'a a b', ''),
    comment: fc.constantFrom('Of a flag', 'b'),
    caller: fc.record({ id: fc.constant('x'), memberId: key, tokenId: key }, { requiredKeys: ['id'] }),
    changes: fc.array(change, { maxLength: 3 }),
    besides: fc.array(fc.record({ action: fc.constantFrom('updateOn', 'other'), resource })),
  },
  { requiredKeys: ['kind', 'name', 'caller', 'changes'] },
)

/** Returns one term for each choice of levels that are named by their kind only. */
function addressTermsOf(address: string): string[] {
  const levels = address.split(':')
  return Array.from({ length: 2 ** levels.length }, (_, choice) => {
    const names = levels.map((level, i) => ((choice >> i) & 1 ? (level.split('/')[0] as string) : level))
    return `at ${names.join('\n')}`
  })
}

it('the terms of an entry are its facets, words and addresses, each once', () => {
  fc.assert(
    fc.property(entry, (each) => {
      const { kind, name, comment = '', caller, changes, besides: others = [] } = each
      const terms = entryTerms({ ...each, sentences: [], verb: 'updated' })
      const isConsequence = (of: (typeof changes)[number]) => of.actions.length === 0 && of.resource.includes('/*')
      const expected = [
        `kind ${kind}`,
        ...(caller.memberId === undefined ? [] : [`member ${caller.memberId}`]),
        ...(caller.tokenId === undefined ? [] : [`token ${caller.tokenId}`]),
        ...[...changes.flatMap((of) => of.actions), ...others.map(({ action }) => action)].map((of) => `action ${of}`),
        ...changes.flatMap((of) => (isConsequence(of) ? [] : addressTermsOf(of.resource))),
        ...(`${name} ${comment}`.toLowerCase().match(/\w+/g) ?? []).map((word) => `word ${word}`),
      ]
      expect(new Set(terms)).toEqual(new Set(expected))
      expect(terms.length).toBe(new Set(terms).size)
    }),
  )
})
