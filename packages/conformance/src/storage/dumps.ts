import type { Change, StoredRecord } from '@halyard/core/storage'
import { assert } from './assert.ts'
import {
  addKeys,
  append,
  clear,
  commit,
  documentId,
  firstDifference,
  insert,
  refuse,
  replace,
  sample,
} from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { chunksOf, recordsOf, series } from './dumped-records.ts'
import { unusualNames } from './unusual-names.ts'

const set = { name: 'included', scope: 'proj/p:segment/s' }

export const dumpCases: StorageCases = {
  group: 'dump',
  cases: {
    'the dump of an empty account has no chunks': async ({ account }) => {
      assert.deepEqual(await chunksOf(account), [])
      await commit(account, insert(documentId('gone', 'proj/p')), addKeys(set, ['gone']), clear('proj/p'))
      assert.deepEqual(await chunksOf(account), [])
    },

    'the dump contains records of every kind, as they were stored': async ({ account }) => {
      const id = documentId('a', 'proj/p')
      await commit(
        account,
        insert(id, { b: [1, null], a: '\u0001\u0000' }, { n: 1.5, list: ['x', '\u0000'], no: null }),
      )
      await commit(account, replace(id, 1, { z: 1, a: { ' ': -0.25 } }, { on: true }))
      const storedSample = sample('s', 1700000000000, {
        label: 'l',
        values: [1.5, null, -3e-9, null],
        terms: ['a', 'b'],
        body: { b: 1, a: 2 },
      })
      await commit(account, addKeys(set, ['m']), append(series, [storedSample]))
      assert.equal(
        JSON.stringify(await recordsOf(account)),
        JSON.stringify([
          document(id, 2, { z: 1, a: { ' ': -0.25 } }, { on: true }),
          { kind: 'member', set, member: 'm' },
          { kind: 'sample', series, sample: storedSample },
        ]),
      )
    },

    'the dump is sorted: documents by collection, scope and key, set keys and samples by scope and name': async ({
      account,
    }) => {
      const scopes = ['', 'proj/p', 'proj/p2', 'proj/p:env/e', 'proj/p;', 'proj/\ufffd', 'proj/\u{1f600}']
      const names = ['b', 'B', 'a', '\ufffd', '\u{1f600}', 'ab']
      const changes: Change[] = []
      for (const scope of scopes.toReversed()) {
        for (const name of names) {
          changes.push(insert(documentId('k2', scope, name)), insert(documentId('k10', scope, name)))
          changes.push(addKeys({ scope, name }, ['x', 'B', '\u{1f600}', '\ufffd']))
          changes.push(append({ scope, name }, [sample('b', 2), sample('c', 1), sample('B', 2)]))
        }
      }
      await commit(account, ...changes)
      const sortedNames = ['B', 'a', 'ab', 'b', '\ufffd', '\u{1f600}']
      assert.deepEqual((await recordsOf(account)).map(addressOf), [
        ...each(sortedNames, scopes, (name, scope) => [
          `document ${name} ${scope} k10`,
          `document ${name} ${scope} k2`,
        ]),
        ...each(scopes, sortedNames, (scope, name) =>
          ['B', 'x', '\ufffd', '\u{1f600}'].map((member) => `member ${scope} ${name} ${member}`),
        ),
        ...each(scopes, sortedNames, (scope, name) =>
          ['1 c', '2 B', '2 b'].map((label) => `sample ${scope} ${name} ${label}`),
        ),
      ])
    },

    'records with unusual names and texts are loaded and dumped unchanged': async ({ account }) => {
      const names = [...unusualNames, '\u0000', '\u0001', '\u0001\u0001', 'a\u0000b']
      const records = names.flatMap((name): StoredRecord[] => [
        document(documentId(name, `proj/${name}`, 'strange'), 7, { [name]: name }, { list: [name], name }),
        { kind: 'member', set: { name, scope: name }, member: name },
        {
          kind: 'sample',
          series: { name, scope: name },
          sample: sample(name, 5, { label: name, body: { [name]: name } }),
        },
      ])
      assert.deepEqual(await commit(account, { do: 'load', records }), [records.length])
      const keyOf = ({ kind, ...rest }: StoredRecord) =>
        `${kind} ${'sample' in rest ? rest.sample.id : JSON.stringify(rest)}`
      const sorted = (all: readonly StoredRecord[]) => all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      assert.deepEqual(sorted(await recordsOf(account)), sorted(records))
    },

    'a loaded copy equals the original and can be changed': async ({ account, accountNamed }) => {
      await commit(account, insert(documentId('a'), { n: 1 }), insert(documentId('b', 'proj/p'), 'b', { tags: ['x'] }))
      await commit(account, replace(documentId('a'), 1, { n: 2 }, { n: 2 }))
      await commit(
        account,
        addKeys(set, ['m1', 'm2']),
        append(series, [sample('s', 1, { values: [0.1], terms: ['x'] })]),
      )
      const copy = accountNamed('copy')
      for await (const records of account.dump()) {
        assert.deepEqual(await commit(copy, { do: 'load', records }), [records.length])
      }
      assert.deepEqual(await recordsOf(copy), await recordsOf(account))
      await refuse(copy, 'conflict', 0, replace(documentId('a'), 1))
      await commit(copy, replace(documentId('a'), 2, { n: 3 }))
      assert.deepEqual(await commit(copy, addKeys(set, ['m2', 'm3'])), [1])
      assert.deepEqual(await commit(copy, append(series, [sample('s', 9), sample('t', 1)])), [1])
      assert.equal((await copy.newest({ series, limit: 9 })).length, 2)
      assert.deepEqual(
        (await copy.newest({ series, terms: [['x']], limit: 9 })).map(({ id }) => id),
        ['s'],
      )
      const where = [{ op: 'equals', field: 'tags', value: 'x' }] as const
      const query = { collection: 'things', scope: 'proj/p', where, limit: 9, select: 'fields' } as const
      assert.equal((await copy.list(query)).items.length, 1)
    },

    'load is refused with "exists" when a record exists or occurs twice, and its batch writes nothing': async ({
      account,
    }) => {
      const [existing, other] = [documentId('there'), documentId('other')]
      await commit(account, insert(existing, 'mine'), addKeys(set, ['m']), append(series, [sample('s', 1)]))
      const before = await recordsOf(account)
      const existingRecords: readonly StoredRecord[] = [
        document(existing, 4),
        { kind: 'member', set, member: 'm' },
        { kind: 'sample', series, sample: sample('s', 2) },
      ]
      for (const record of existingRecords) {
        const records = [document(other, 1), record]
        await refuse(account, 'exists', 1, addKeys(set, ['new']), { do: 'load', records })
      }
      for (const record of [document(other, 1), { kind: 'member', set, member: 'x' }] as StoredRecord[]) {
        await refuse(account, 'exists', 0, { do: 'load', records: [record, record] })
      }
      assert.deepEqual(await recordsOf(account), before)
    },

    'load sees the effects of the earlier changes of its batch': async ({ account }) => {
      const [a, b] = [documentId('a', 'proj/p'), documentId('b')]
      await commit(account, insert(a), addKeys(set, ['m']))
      const records: StoredRecord[] = [document(a, 9), { kind: 'member', set, member: 'm' }]
      assert.deepEqual(await commit(account, clear('proj/p'), { do: 'load', records }), [2, 2])
      assert.equal((await account.get(a))?.version, 9)
      await refuse(account, 'exists', 1, insert(b), { do: 'load', records: [document(b, 3)] })
      await commit(account, { do: 'load', records: [document(b, 3)] }, replace(b, 3, 'after'))
      assert.deepEqual(await account.get(b), { key: 'b', scope: '', version: 4, body: 'after' })
    },

    'a dump shows the state of one moment while commits happen between its chunks': async ({ account }) => {
      const names = Array.from({ length: 7000 }, (_, i) => `m${String(i).padStart(5, '0')}`)
      await commit(account, insert(documentId('a'), 1), insert(documentId('b'), 1), addKeys(set, names))
      await commit(account, append(series, [sample('s', 1)]))
      const before = await recordsOf(account)
      const dumped: StoredRecord[] = []
      for await (const chunk of account.dump()) {
        dumped.push(...chunk)
        if (dumped.length > 5000) continue
        // Awaited, because the reader of a dump may also write.
        const version = (await account.get(documentId('a')))?.version ?? 0
        await commit(account, replace(documentId('a'), version, 'later'), addKeys(set, [`z${version}`, 'm00000x']))
        if (version === 1) await commit(account, clear('acct'), insert(documentId('c')))
      }
      assert.equal(dumped.length, before.length)
      assert.equal(firstDifference(dumped.map(asText), before.map(asText)), -1)
      assert.isTrue((await recordsOf(account)).length > before.length)
    },

    'a dump contains no records of other accounts': async ({ account, accountNamed }) => {
      await commit(account, insert(documentId('a')), addKeys(set, ['m']), append(series, [sample('s', 1)]))
      assert.deepEqual(await chunksOf(accountNamed('other')), [])
    },

    'dumps that are not read to the end release their resources, in twenty repetitions': async ({ account }) => {
      await commit(
        account,
        addKeys(
          set,
          Array.from({ length: 12_000 }, (_, i) => `m${i}`),
        ),
      )
      for (let i = 0; i < 20; i++) {
        for await (const chunk of account.dump()) {
          assert.isTrue(chunk.length > 0)
          break
        }
      }
      const failing = async () => {
        for await (const _ of account.dump()) throw new Error('the reader fails')
      }
      for (let i = 0; i < 20; i++) assert.equal(await failing().catch(({ message }) => message), 'the reader fails')
      await commit(account, insert(documentId('after')))
      assert.equal((await account.get(documentId('after')))?.version, 1)
    },

    'concurrent dumps each show their own moment': async ({ account }) => {
      await commit(account, insert(documentId('a')))
      const first = account.dump()[Symbol.asyncIterator]()
      assert.equal((await first.next()).value?.length, 1)
      await commit(account, insert(documentId('b')))
      const second = account.dump()[Symbol.asyncIterator]()
      assert.equal((await second.next()).value?.length, 2)
      assert.isTrue((await first.next()).done)
      assert.isTrue((await second.next()).done)
    },

    'a hundred thousand set keys are dumped in chunks of at most 10,000 records': async ({ account, accountNamed }) => {
      const keys = Array.from({ length: 100_000 }, (_, i) => `user-${String(i).padStart(6, '0')}`)
      await commit(account, addKeys(set, keys))
      const copy = accountNamed('copy')
      const dumpedKeys: string[] = []
      for await (const records of account.dump()) {
        assert.isTrue(records.length <= 10_000, `a chunk of ${records.length} records`)
        for (const record of records) if (record.kind === 'member') dumpedKeys.push(record.member)
        await commit(copy, { do: 'load', records })
      }
      assert.equal(firstDifference(dumpedKeys, keys), -1)
      assert.equal(await copy.countKeys(set), 100_000)
    },

    'records of about a megabyte are loaded and dumped unchanged': async ({ account, accountNamed }) => {
      const big = { text: 'x\u00e9\u{1f600}"\\'.repeat(100_000) }
      const records: StoredRecord[] = [
        document(documentId('big'), 1, big),
        { kind: 'sample', series, sample: sample('big', 1, { body: big }) },
      ]
      await commit(account, { do: 'load', records })
      const copy = accountNamed('copy')
      for await (const chunk of account.dump()) await commit(copy, { do: 'load', records: chunk })
      assert.isTrue(asText(await recordsOf(copy)) === asText(records))
    },
  },
}

type StoredDocumentRecord = Extract<StoredRecord, { readonly kind: 'document' }>

function document(
  id: StoredDocumentRecord['id'],
  version: number,
  body: unknown = null,
  fields: StoredDocumentRecord['fields'] = {},
): StoredRecord {
  return { kind: 'document', id, version, body, fields }
}

function asText(value: unknown): string {
  return JSON.stringify(value)
}

function addressOf(record: StoredRecord): string {
  switch (record.kind) {
    case 'document':
      return `document ${record.id.collection} ${record.id.scope} ${record.id.key}`
    case 'member':
      return `member ${record.set.scope} ${record.set.name} ${record.member}`
    case 'sample':
      return `sample ${record.series.scope} ${record.series.name} ${record.sample.at} ${record.sample.id}`
    case 'task':
      return `task ${record.queue.scope} ${record.queue.name} ${record.task.at} ${record.task.id}`
  }
}

function each<A, B, C>(outer: readonly A[], inner: readonly B[], make: (a: A, b: B) => readonly C[]): C[] {
  return outer.flatMap((a) => inner.flatMap((b) => make(a, b)))
}
